package chakra

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// node is a node of a trace, with the attributes that this package reads.
type node struct {
	id    uint64
	kind  nodeType
	deps  []uint64 // control and data dependencies
	after []int32  // the same by index in the file

	micros uint64                  // recorded duration
	value  [len(numberNames)]int64 // of attributes that are numbers
	group  string                  // pg_name
}

// Indices of node.value, by attribute.
const (
	onHost      = iota // the node runs on the host and not on the accelerator
	operations         // of a computation
	tensorBytes        // that the operations touch
	commType           // of a collective; notGiven if there is none, as source and sink
	source
	sink
	commBytes
	commTag
)

// numberNames are the names of these attributes.
var numberNames = [...]string{"is_cpu_op", "num_ops", "tensor_size", "comm_type", "comm_src",
	"comm_dst", "comm_size", "comm_tag"}

// notGiven is the value of a rank or a type that a node does not have.
const notGiven = -1

// nodeType is NodeType of the schema.
type nodeType uint64

// The types of nodes, numbered as in the schema.
const (
	invalidNode nodeType = iota
	metadataNode
	loadNode
	storeNode
	computeNode
	sendNode
	receiveNode
	collectiveNode
)

// parseTrace parses the messages of a file: GlobalMetadata, then nodes, each behind its length.
func parseTrace(data []byte) (list []node, err error) {
	for at := 0; at < len(data); {
		message, n := protowire.ConsumeBytes(data[at:])
		what := "the metadata"
		if at > 0 {
			what = fmt.Sprintf("node %d of the file", len(list))
		}
		if n < 0 {
			return nil, fmt.Errorf("byte %d: %s: %s", at, what, parseProblem(n))
		}
		if at == 0 {
			err = eachField(message, func(protowire.Number, protowire.Type, []byte) error { return nil })
		} else {
			var x node
			if x, err = parseNode(message); x.id != 0 || err == nil {
				what = fmt.Sprintf("node %d", x.id)
			}
			list = append(list, x)
		}
		if err != nil {
			return nil, fmt.Errorf("byte %d: %s: %w", at, what, err)
		}
		at += n
	}
	if len(data) == 0 {
		return nil, errors.New("the file is empty, and a trace begins with its metadata")
	}
	return list, nil
}

// parseProblem returns what is wrong with bytes, given the error code of protowire.
func parseProblem(n int) string {
	if errors.Is(protowire.ParseError(n), io.ErrUnexpectedEOF) {
		return "the file ends within it"
	}
	return "it is no protocol buffer"
}

// eachField calls f with each field of a message: the bytes of its value, without their length.
func eachField(message []byte, f func(protowire.Number, protowire.Type, []byte) error) error {
	for len(message) > 0 {
		number, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return errors.New("it is no protocol buffer")
		}
		message = message[n:]
		if n = protowire.ConsumeFieldValue(number, kind, message); n < 0 {
			return fmt.Errorf("field %d: it is no protocol buffer", number)
		}
		value := message[:n]
		if kind == protowire.BytesType {
			value, _ = protowire.ConsumeBytes(value)
		}
		if err := f(number, kind, value); err != nil {
			return err
		}
		message = message[n:]
	}
	return nil
}

// parseNode parses a message Node.
func parseNode(message []byte) (node, error) {
	var x node
	x.value[commType], x.value[source], x.value[sink] = notGiven, notGiven, notGiven
	err := eachField(message, func(number protowire.Number, kind protowire.Type, value []byte) error {
		switch number {
		case 1, 3, 6, 7:
			if kind != protowire.VarintType {
				return fmt.Errorf("field %d is no number", number)
			}
			v, _ := protowire.ConsumeVarint(value)
			switch number {
			case 1:
				x.id = v
			case 3:
				x.kind = nodeType(v)
			case 7:
				x.micros = v
			}
			return nil
		case 4, 5:
			return x.addDependencies(number, kind, value)
		case 10:
			if kind != protowire.BytesType {
				return errors.New("an attribute is no message")
			}
			return x.attribute(value)
		case 2, 8, 9: // name, inputs, outputs
			return nil
		}
		return fmt.Errorf("field %d: the schema 0.0.4 has fields 1 to 10", number)
	})
	return x, err
}

// addDependencies adds repeated integers, packed or one by one.
func (x *node) addDependencies(number protowire.Number, kind protowire.Type, value []byte) error {
	if kind != protowire.BytesType && kind != protowire.VarintType {
		return fmt.Errorf("field %d is no list of numbers", number)
	}
	for len(value) > 0 {
		v, n := protowire.ConsumeVarint(value)
		if n < 0 {
			return fmt.Errorf("field %d is no list of numbers", number)
		}
		x.deps, value = append(x.deps, v), value[n:]
	}
	return nil
}

// attribute parses a message AttributeProto. It ignores attributes without an effect on time or
// messages, such as the name that PyTorch gives to an operator.
func (x *node) attribute(message []byte) error {
	var name string
	var number protowire.Number
	var kind protowire.Type
	var value []byte
	err := eachField(message, func(n protowire.Number, k protowire.Type, v []byte) error {
		switch {
		case n == 1 && k == protowire.BytesType:
			name = string(v)
		case n > 2:
			number, kind, value = n, k, v
		}
		return nil
	})
	if err != nil {
		return err
	}
	switch name {
	case "pg_name":
		if number != stringValue && number != 0 {
			return errors.New("attribute pg_name is no text")
		}
		if x.group = string(value); x.group == "0" {
			x.group = everyRank
		}
		return nil
	case "involved_dim":
		if number == boolListValue && bytes.IndexByte(value, 0) >= 0 { // one of the list is false
			return errors.New("attribute involved_dim has a collective along some dimensions of a " +
				"network: give its ranks as a process group (pg_name)")
		}
		return nil
	}
	at := slices.Index(numberNames[:], name)
	if at < 0 {
		return nil
	}
	v, ok := decodeInteger(number, kind, value)
	if number != 0 && (!ok || v < 0) { // an attribute without a value is 0
		return fmt.Errorf("attribute %s is no whole number of at least 0", name)
	}
	x.value[at] = v
	return nil
}

// integer reads a value of the collectiveKinds that hold one integer. It reports false for others;
// values above MaxInt64 are negative.
func decodeInteger(number protowire.Number, kind protowire.Type, value []byte) (v int64, ok bool) {
	switch kind {
	case protowire.VarintType:
		n, _ := protowire.ConsumeVarint(value)
		v = int64(n)
	case protowire.Fixed32Type:
		n, _ := protowire.ConsumeFixed32(value)
		v = int64(int32(n))
	case protowire.Fixed64Type:
		n, _ := protowire.ConsumeFixed64(value)
		v = int64(n)
	default:
		return 0, false
	}
	if number == sint32Value || number == sint64Value {
		v = protowire.DecodeZigZag(uint64(v))
	}
	return v, number > lastFloatValue
}

// Fields of AttributeProto. Those up to lastFloatValue that are numbers are no integers.
const (
	lastFloatValue = 6
	sint32Value    = 15
	sint64Value    = 17
	boolListValue  = 28
	stringValue    = 29
)
