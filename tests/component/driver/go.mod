module driver

go 1.19

require askuser v0.0.0

replace askuser => ../../../examples/go
