package argument

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
)

// Options returns a copy of options, so that later changes by the caller have no effect;
// nil is the zero value.
func Options[O any](opts *O) O {
	if opts == nil {
		var none O
		return none
	}
	return *opts
}

// Fields refuses invalid fields of options, to which opts points. By type and name, it checks
// addresses, signatures, commitments, transaction types, negative numbers, and bounds that select
// nothing.
func Fields(opts any) error { return fields("", reflect.ValueOf(opts).Elem()) }

func fields(prefix string, v reflect.Value) error {
	number := func(name string) uint64 { return v.FieldByName(name).Uint() }
	for i := range v.NumField() {
		f, field := v.Type().Field(i), v.Field(i)
		name := prefix + f.Name
		var err error
		switch value := field.Addr().Interface().(type) {
		case *types.Address:
			err = Optional(name, *value, Address)
		case *types.Signature:
			err = Optional(name, *value, Signature)
		case *txtype.Type:
			if upper := strings.ToUpper(string(*value)); upper != string(*value) {
				err = Invalid(name+" "+Quote(string(*value)), "is not in upper case, and would select nothing; write "+upper)
			}
		case *[]types.Address:
			err = Each(name, *value, Address)
		case *types.Commitment:
			err = Commitment(*value)
		case *int:
			err = NotNegative(name, *value)
		case *time.Time:
			if f.Name == "Until" {
				since, _ := reflect.TypeAssert[time.Time](v.FieldByName("Since"))
				err = checkTimes(since, *value)
			}
		case *uint64:
			switch {
			case f.Name == "UntilSlot":
				err = Slots{number("SinceSlot"), *value}.Check()
			case f.Name == "MaxRawAmount" && *value != 0 && *value < number("MinRawAmount"):
				err = Invalid(fmt.Sprint(prefix, "MinRawAmount ", number("MinRawAmount")), fmt.Sprint("is above MaxRawAmount ", *value))
			}
		default:
			switch {
			case f.Anonymous:
				err = fields(prefix, field)
			case field.Kind() == reflect.Pointer && field.Type().Elem().Kind() == reflect.Struct && !field.IsNil():
				err = fields(name+".", field.Elem())
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}
