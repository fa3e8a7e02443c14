module askuser

go 1.19
