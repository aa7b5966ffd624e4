package config

import "reflect"

// changed returns a value of the key's type that is not the one in s.
func changed(k Key, s *Settings) reflect.Value {
	f := k.Field(s)
	v := reflect.New(f.Type()).Elem()
	switch f.Kind() {
	case reflect.Int, reflect.Int64:
		v.SetInt(f.Int() + 1)
	case reflect.Uint8:
		v.SetUint(f.Uint() + 1)
	case reflect.Float64:
		v.SetFloat(f.Float() + 1.5)
	case reflect.Bool:
		v.SetBool(!f.Bool())
	case reflect.String:
		v.SetString(f.String() + "x")
	case reflect.Slice:
		v = reflect.Append(f, reflect.Zero(f.Type().Elem()))
	}
	return v
}
