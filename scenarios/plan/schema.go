package plan

import (
	"bytes"
	"encoding/json"
	"reflect"
)

// object is a JSON object in a written order.
type object []member

type member struct {
	name  string
	value any
}

// MarshalJSON writes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(m.name)
		if err != nil {
			return nil, err
		}
		var value bytes.Buffer
		e := json.NewEncoder(&value)
		e.SetEscapeHTML(false)
		if err := e.Encode(m.value); err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(bytes.TrimSpace(value.Bytes()))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Schema returns the JSON schema (draft 2020-12) of plans in YAML. It knows the
// shape of a plan; what refers to what is [Plan.Check]'s.
func Schema() ([]byte, error) {
	root := append(object{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"},
		{"title", "An Orrery test plan"},
	}, schemaOfStruct(reflect.TypeFor[Plan]())...)
	root = append(root, member{"$defs", object{
		{"none", object{{"description", "why there is nothing"}, {"type", "string"}, {"pattern", `^[Nn]one, because \S`}}},
		{"text", object{{"type", []string{"string", "number", "boolean"}}, {"minLength", 1}, {"not", object{{"enum", []string{"none", "None", "n/a", "N/A", "-", "?", "...", "tbd", "TBD", "todo", "TODO"}}}}}},
		{"parameters", object{{"type", "object"}, {"minProperties", 1}, {"additionalProperties", object{{"type", []string{"string", "number", "boolean"}}}}}},
	}})
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(root)
	return b.Bytes(), err
}

func ref(name string) object { return object{{"$ref", "#/$defs/" + name}} }

func anyOf(all ...object) object { return object{{"anyOf", all}} }

func schemaOfStruct(t reflect.Type) object {
	var properties object
	var needed []string
	for _, f := range fieldsOf(t) {
		value := schemaOf(f.typ, f)
		if f.want != "" {
			value = append(object{{"description", f.want}}, value...)
		}
		properties = append(properties, member{f.name, value})
		if f.presence == required {
			needed = append(needed, f.name)
		}
	}
	return object{{"type", "object"}, {"properties", properties}, {"required", needed}, {"additionalProperties", false}}
}

func schemaOf(t reflect.Type, f field) object {
	switch formOf(structOf(t)) {
	case formWord:
		return object{{"enum", reflect.Zero(t).Interface().(worded).words()}}
	case formCount:
		return object{{"type", "integer"}, {"minimum", 0}}
	case formDuration:
		return object{{"type", "string"}, {"pattern", `^([0-9.]+(ms|s|m|h))+$`}}
	case formFields:
		return schemaOfStruct(structOf(t))
	case formBudget:
		return schemaOfBudget()
	case formList:
		return schemaOfList(t, f)
	}
	return ref("text")
}

func schemaOfBudget() object {
	tier := schemaOfStruct(reflect.TypeFor[Tier]())
	none := object{{"type", "string"}, {"pattern", `^[Nn]one, because .*[Rr]evisit when \S`}}
	return object{
		{"type", "object"},
		{"properties", object{{"smoke", tier}, {"hardening", tier}, {"release", anyOf(none, tier)}}},
		{"required", []string{"smoke", "hardening", "release"}},
		{"additionalProperties", false},
	}
}

// schemaOfList allows an array; a text, if one line can have several items; and
// the reason for none, if there may be none.
func schemaOfList(t reflect.Type, f field) object {
	var forms []object
	elem := elemOf(t)
	switch elem {
	case typeParam:
		forms = append(forms, ref("parameters"))
	case typeConfig:
		forms = append(forms, object{{"type", "object"}, {"minProperties", 1}, {"additionalProperties", anyOf(object{{"type", "string"}}, ref("parameters"))}})
	}
	forms = append(forms, object{{"type", "array"}, {"minItems", 1}, {"items", schemaOf(elem, f)}})
	switch {
	case f.sep != "":
		forms = append(forms, ref("text")) // the reason for none is one too
	case t.Kind() != reflect.Slice:
		forms = append(forms, ref("none"))
	}
	if len(forms) == 1 {
		return forms[0]
	}
	return anyOf(forms...)
}
