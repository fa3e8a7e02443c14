// The component in Wasmtime, over its C API: it is loaded here, and its functions are called with values of Go.

package askuser

/*
#cgo LDFLAGS: -lwasmtime
#include <stdlib.h>
#include <wasmtime.h>
#include <wasmtime/component.h>
*/
import "C"

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"unicode/utf8"
	"unsafe"
)

// Values of the component model that Go has no type for. The others are bool, uint32 and string; an optional value is a pointer or nil.
type (
	list   []any
	tuple  []any
	enum   string
	record []field
	field  struct {
		name  string
		value any
	}
	variant struct {
		tag   string
		value any
	}
	result struct {
		ok    bool
		value any
	}
)

// handle is something that the component holds, such as a walk. The component frees it after Go has freed this.
type handle struct {
	component *Component
	resource  *C.wasmtime_component_resource_any_t
}

// name is the interface and the name of a function, as in wit/ask-user.wit.
type name struct{ of, function string }

// Component is the component, loaded once. Several goroutines may use it. It does one thing at a time.
type Component struct {
	lock      sync.Mutex
	engine    *C.wasm_engine_t
	store     *C.wasmtime_store_t
	instance  C.wasmtime_component_instance_t
	functions map[name]*C.wasmtime_component_func_t
	// freed is guarded by a lock of its own, because the garbage collector adds to it at any time.
	freedLock sync.Mutex
	freed     []*C.wasmtime_component_resource_any_t
	closed    bool
}

// Load reads the component from a file and compiles it.
func Load(path string) (*Component, error) {
	bytes, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if len(bytes) == 0 {
		return nil, fmt.Errorf("%s is empty", path)
	}
	c := &Component{engine: C.wasm_engine_new(), functions: map[name]*C.wasmtime_component_func_t{}}
	c.store = C.wasmtime_store_new(c.engine, nil, nil)
	var component *C.wasmtime_component_t
	fault := C.wasmtime_component_new(c.engine, (*C.uint8_t)(&bytes[0]), C.size_t(len(bytes)), &component)
	if err := failure(fault); err != nil {
		c.Close()
		return nil, err
	}
	defer C.wasmtime_component_delete(component)
	// It imports nothing: there is nothing to link.
	linker := C.wasmtime_component_linker_new(c.engine)
	defer C.wasmtime_component_linker_delete(linker)
	if err := failure(C.wasmtime_component_linker_instantiate(linker, c.context(), component, &c.instance)); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// LimitMemory sets how many bytes the component may take. If it needs more, a call fails, and the component cannot be used any more.
func (c *Component) LimitMemory(bytes int64) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.store == nil {
		return
	}
	C.wasmtime_store_limiter(c.store, C.int64_t(bytes), -1, -1, -1, -1)
}

// Close frees the component and everything in it.
func (c *Component) Close() {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.store == nil {
		return
	}
	c.freedLock.Lock()
	c.closed = true
	c.freedLock.Unlock()
	c.dropFreed()
	for _, function := range c.functions {
		C.free(unsafe.Pointer(function))
	}
	C.wasmtime_store_delete(c.store)
	C.wasm_engine_delete(c.engine)
	c.store, c.functions = nil, nil
}

func (c *Component) context() *C.wasmtime_context_t {
	return C.wasmtime_store_context(c.store)
}

// call calls a function of the component. An error is a fault of the component itself.
func (c *Component) call(of, function string, arguments ...any) (any, error) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.store == nil {
		return nil, errors.New("the component is closed")
	}
	for _, argument := range arguments {
		if !isText(argument) {
			return nil, &Misuse{"A text is not valid UTF-8."}
		}
	}
	c.dropFreed()
	found, err := c.function(name{of, function})
	if err != nil {
		return nil, err
	}
	size := C.size_t(unsafe.Sizeof(C.wasmtime_component_val_t{}))
	// In C's memory, where Go does not move them and their pointers are C's own. Zeroes are booleans.
	lowered := (*C.wasmtime_component_val_t)(C.calloc(C.size_t(len(arguments)+1), size))
	defer C.free(unsafe.Pointer(lowered))
	all := unsafe.Slice(lowered, len(arguments)+1)
	for i, argument := range arguments {
		lower(argument, &all[i])
		defer C.wasmtime_component_val_delete(&all[i])
	}
	returned := &all[len(arguments)]
	fault := C.wasmtime_component_func_call(found, c.context(), lowered, C.size_t(len(arguments)), returned, 1)
	runtime.KeepAlive(arguments)
	if err := failure(fault); err != nil {
		return nil, err
	}
	defer C.wasmtime_component_val_delete(returned)
	return c.lift(returned), nil
}

func (c *Component) function(wanted name) (*C.wasmtime_component_func_t, error) {
	if found := c.functions[wanted]; found != nil {
		return found, nil
	}
	of := c.index(nil, wanted.of)
	defer C.wasmtime_component_export_index_delete(of)
	index := c.index(of, wanted.function)
	defer C.wasmtime_component_export_index_delete(index)
	found := (*C.wasmtime_component_func_t)(C.calloc(1, C.size_t(unsafe.Sizeof(C.wasmtime_component_func_t{}))))
	if index == nil || !bool(C.wasmtime_component_instance_get_func(&c.instance, c.context(), index, found)) {
		C.free(unsafe.Pointer(found))
		return nil, fmt.Errorf("the component has no function %s of %s", wanted.function, wanted.of)
	}
	c.functions[wanted] = found
	return found, nil
}

func (c *Component) index(of *C.wasmtime_component_export_index_t, name string) *C.wasmtime_component_export_index_t {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	return C.wasmtime_component_instance_get_export_index(&c.instance, c.context(), of, text, C.size_t(len(name)))
}

// dropFreed frees in the component what Go has freed.
func (c *Component) dropFreed() {
	c.freedLock.Lock()
	freed := c.freed
	c.freed = nil
	c.freedLock.Unlock()
	for _, resource := range freed {
		if fault := C.wasmtime_component_resource_any_drop(c.context(), resource); fault != nil {
			C.wasmtime_error_delete(fault)
		}
		C.wasmtime_component_resource_any_delete(resource)
	}
}

func (c *Component) handle(resource *C.wasmtime_component_resource_any_t) *handle {
	h := &handle{c, C.wasmtime_component_resource_any_clone(resource)}
	runtime.SetFinalizer(h, func(h *handle) {
		h.component.freedLock.Lock()
		defer h.component.freedLock.Unlock()
		if h.component.closed {
			C.wasmtime_component_resource_any_delete(h.resource)
			return
		}
		h.component.freed = append(h.component.freed, h.resource)
	})
	return h
}

// isText says whether each text in a value is valid UTF-8. Wasmtime ends the process at one that is not.
func isText(value any) bool {
	switch value := value.(type) {
	case string:
		return utf8.ValidString(value)
	case *string:
		return value == nil || utf8.ValidString(*value)
	case list:
		return areTexts(value)
	case tuple:
		return areTexts(value)
	case record:
		for _, field := range value {
			if !isText(field.value) {
				return false
			}
		}
	case variant:
		return isText(value.value)
	}
	return true
}

func areTexts(values []any) bool {
	for _, value := range values {
		if !isText(value) {
			return false
		}
	}
	return true
}

// lower writes a value for the component.
func lower(value any, to *C.wasmtime_component_val_t) {
	of := unsafe.Pointer(&to.of)
	switch value := value.(type) {
	case bool:
		to.kind = C.WASMTIME_COMPONENT_BOOL
		*(*C.bool)(of) = C.bool(value)
	case uint32:
		to.kind = C.WASMTIME_COMPONENT_U32
		*(*C.uint32_t)(of) = C.uint32_t(value)
	case string:
		to.kind = C.WASMTIME_COMPONENT_STRING
		named(value, (*C.wasm_name_t)(of))
	case enum:
		to.kind = C.WASMTIME_COMPONENT_ENUM
		named(string(value), (*C.wasm_name_t)(of))
	case *string:
		to.kind = C.WASMTIME_COMPONENT_OPTION
		*(**C.wasmtime_component_val_t)(of) = nil
		if value != nil {
			*(**C.wasmtime_component_val_t)(of) = boxed(*value)
		}
	case list:
		to.kind = C.WASMTIME_COMPONENT_LIST
		several(value, (*C.wasmtime_component_vallist_t)(of))
	case tuple:
		to.kind = C.WASMTIME_COMPONENT_TUPLE
		// A tuple and a list are the same in C.
		several(value, (*C.wasmtime_component_vallist_t)(of))
	case record:
		to.kind = C.WASMTIME_COMPONENT_RECORD
		fields := (*C.wasmtime_component_valrecord_t)(of)
		C.wasmtime_component_valrecord_new_uninit(fields, C.size_t(len(value)))
		places := unsafe.Slice(fields.data, len(value))
		for i, field := range value {
			named(field.name, &places[i].name)
			lower(field.value, &places[i].val)
		}
	case variant:
		to.kind = C.WASMTIME_COMPONENT_VARIANT
		chosen := (*C.wasmtime_component_valvariant_t)(of)
		named(value.tag, &chosen.discriminant)
		chosen.val = nil
		if value.value != nil {
			chosen.val = boxed(value.value)
		}
	case *handle:
		to.kind = C.WASMTIME_COMPONENT_RESOURCE
		*(**C.wasmtime_component_resource_any_t)(of) = C.wasmtime_component_resource_any_clone(value.resource)
	default:
		panic(fmt.Sprintf("the component takes no %T", value))
	}
}

func several(values []any, to *C.wasmtime_component_vallist_t) {
	C.wasmtime_component_vallist_new_uninit(to, C.size_t(len(values)))
	if len(values) == 0 {
		return
	}
	items := unsafe.Slice(to.data, len(values))
	for i, value := range values {
		lower(value, &items[i])
	}
}

func boxed(value any) *C.wasmtime_component_val_t {
	place := (*C.wasmtime_component_val_t)(C.calloc(1, C.size_t(unsafe.Sizeof(C.wasmtime_component_val_t{}))))
	defer C.free(unsafe.Pointer(place))
	lower(value, place)
	return C.wasmtime_component_val_new(place)
}

func named(text string, to *C.wasm_name_t) {
	bytes := C.CString(text)
	defer C.free(unsafe.Pointer(bytes))
	C.wasm_byte_vec_new(to, C.size_t(len(text)), bytes)
}

// lift reads a value of the component.
func (c *Component) lift(from *C.wasmtime_component_val_t) any {
	of := unsafe.Pointer(&from.of)
	switch from.kind {
	case C.WASMTIME_COMPONENT_BOOL:
		return bool(*(*C.bool)(of))
	case C.WASMTIME_COMPONENT_STRING:
		return text((*C.wasm_name_t)(of))
	case C.WASMTIME_COMPONENT_OPTION:
		return c.unboxed(*(**C.wasmtime_component_val_t)(of))
	case C.WASMTIME_COMPONENT_LIST:
		from := (*C.wasmtime_component_vallist_t)(of)
		// An empty vector points nowhere, which Go must not see.
		if from.size == 0 {
			return list{}
		}
		items := unsafe.Slice(from.data, int(from.size))
		values := make(list, len(items))
		for i := range items {
			values[i] = c.lift(&items[i])
		}
		return values
	case C.WASMTIME_COMPONENT_RECORD:
		from := (*C.wasmtime_component_valrecord_t)(of)
		if from.size == 0 {
			return record{}
		}
		fields := unsafe.Slice(from.data, int(from.size))
		values := make(record, len(fields))
		for i := range fields {
			values[i] = field{text(&fields[i].name), c.lift(&fields[i].val)}
		}
		return values
	case C.WASMTIME_COMPONENT_VARIANT:
		chosen := (*C.wasmtime_component_valvariant_t)(of)
		return variant{text(&chosen.discriminant), c.unboxed(chosen.val)}
	case C.WASMTIME_COMPONENT_RESULT:
		either := (*C.wasmtime_component_valresult_t)(of)
		return result{bool(either.is_ok), c.unboxed(either.val)}
	case C.WASMTIME_COMPONENT_RESOURCE:
		return c.handle(*(**C.wasmtime_component_resource_any_t)(of))
	}
	panic(fmt.Sprintf("the component returned a value of kind %d", from.kind))
}

func (c *Component) unboxed(value *C.wasmtime_component_val_t) any {
	if value == nil {
		return nil
	}
	return c.lift(value)
}

func text(name *C.wasm_name_t) string {
	if name.size == 0 {
		return ""
	}
	return string(unsafe.Slice((*byte)(unsafe.Pointer(name.data)), int(name.size)))
}

func failure(fault *C.wasmtime_error_t) error {
	if fault == nil {
		return nil
	}
	defer C.wasmtime_error_delete(fault)
	var message C.wasm_name_t
	C.wasmtime_error_message(fault, &message)
	defer C.wasm_byte_vec_delete(&message)
	return errors.New(text(&message))
}
