package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Program is the program that the pages describe.
type Program struct {
	Root  *cobra.Command // the command line
	Exits []ExitStatus   // in the order of the page
}

// ExitStatus is a status the program ends with.
type ExitStatus struct {
	Code    int    // what the shell sees
	Meaning string // a phrase
}

// Commands returns the commands that do something, in alphabetical order, those
// that only scripts need (hidden) last.
func (p Program) Commands() []*cobra.Command {
	var shown, hidden []*cobra.Command
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		switch {
		case c.Name() == "help" || c.Name() == "completion" || strings.HasPrefix(c.Name(), "__"):
			return // cobra's own
		case c.Runnable() && c.Hidden:
			hidden = append(hidden, c)
		case c.Runnable() && c.HasParent() && !c.HasSubCommands():
			shown = append(shown, c)
		}
		for _, child := range c.Commands() {
			walk(child)
		}
	}
	walk(p.Root)
	return append(shown, hidden...)
}

// UseLine is how a command is called.
func UseLine(c *cobra.Command) string {
	line := c.UseLine()
	if !c.NonInheritedFlags().HasAvailableFlags() {
		line = strings.TrimSuffix(line, " [flags]")
	}
	return line
}

// Flag is a flag for readers.
type Flag struct {
	Names   []string // with their dashes, the short one first
	Value   string   // what stands for its value
	Default string   // empty where the flag is off or empty unless it is given
	Usage   string
}

// Flags returns the flags of a set other than --help.
func Flags(set *pflag.FlagSet) (list []Flag) {
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		var k Flag
		if f.Shorthand != "" {
			k.Names = append(k.Names, "-"+f.Shorthand)
		}
		k.Names = append(k.Names, "--"+f.Name)
		k.Value, k.Usage = pflag.UnquoteUsage(f)
		// If the default is not the initial value of the flag, the end of the usage states it.
		if text, end, found := strings.Cut(k.Usage, " (default "); found && strings.HasSuffix(end, ")") {
			k.Usage, k.Default = text, strings.TrimSuffix(end, ")")
		} else if d := f.DefValue; d != "[]" && d != "false" && d != "0" {
			k.Default = d
		}
		list = append(list, k)
	})
	return list
}
