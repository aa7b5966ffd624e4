package manual

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// commandsPage lists every command with its flags.
func commandsPage(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString(title("Commands"))
	b.WriteString("" +
		"Every command takes `--help` and the [flags of all commands](#flags-of-all-commands). [Exit\n" +
		"statuses](exit-statuses.md) are the same for all. [Keys](keys.md) are those that `--set` and\n" +
		"`--axis` take. `contend completion bash`, `zsh` and `fish` print completions for a shell.\n\n")
	commands := Commands(root)
	var rows [][]string
	for _, c := range commands {
		rows = append(rows, []string{fmt.Sprintf("[%s](#%s)", c.CommandPath(), anchor(c)), c.Short})
	}
	table(&b, []string{"command", "what it does"}, rows)
	for _, c := range commands {
		fmt.Fprintf(&b, "\n## %s\n\n```\n%s\n```\n\n", c.CommandPath(), useLine(c))
		if c.Long != "" {
			fmt.Fprintf(&b, "```text\n%s\n```\n", strings.TrimSpace(c.Long))
		} else {
			b.WriteString(c.Short + ".\n")
		}
		if rows := flagRows(c.NonInheritedFlags()); rows != nil {
			b.WriteString("\n")
			table(&b, flagHeader, rows)
		}
	}
	b.WriteString("\n## Flags of all commands\n\n")
	table(&b, flagHeader, flagRows(root.PersistentFlags()))
	b.WriteString("\n" +
		"`contend --version` prints version, commit, Go version and the fingerprint that stored runs\n" +
		"carry.\n")
	return b.String()
}

var flagHeader = []string{"flag", "value", "default", "meaning"}

// Commands returns the commands that do something, in alphabetical order, those
// that only make docs needs (hidden) last.
func Commands(root *cobra.Command) []*cobra.Command {
	var shown, hidden []*cobra.Command
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		switch {
		case c.Name() == "help" || c.Name() == "completion" || strings.HasPrefix(c.Name(), "__"):
			return // cobra's own
		case c.Runnable() && c.Hidden:
			hidden = append(hidden, c)
		case c.Runnable() && c.HasParent():
			shown = append(shown, c)
		}
		for _, child := range c.Commands() {
			walk(child)
		}
	}
	walk(root)
	return append(shown, hidden...)
}

// anchor returns the link target of a command's heading.
func anchor(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// useLine is how a command is called.
func useLine(c *cobra.Command) string {
	line := c.UseLine()
	if !c.NonInheritedFlags().HasAvailableFlags() {
		line = strings.TrimSuffix(line, " [flags]")
	}
	return line
}

// flagRows returns the rows of flags, or nil if --help is the only flag.
func flagRows(flags *pflag.FlagSet) (rows [][]string) {
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		name := "`--" + f.Name + "`"
		if f.Shorthand != "" {
			name = "`-" + f.Shorthand + "`, " + name
		}
		value, usage := pflag.UnquoteUsage(f)
		if value != "" {
			value = code(value)
		}
		usage, standard := splitDefault(f, usage)
		if standard != "" {
			standard = code(standard)
		}
		rows = append(rows, []string{name, cell(value), cell(standard), cell(usage)})
	})
	return rows
}

// splitDefault returns a flag's usage and its default. If the default is not the
// initial value of the flag, the end of the usage states it.
func splitDefault(f *pflag.Flag, usage string) (text, standard string) {
	if at := strings.Index(usage, " (default "); at >= 0 && strings.HasSuffix(usage, ")") {
		return usage[:at], strings.TrimSuffix(usage[at+len(" (default "):], ")")
	}
	switch f.DefValue {
	case "", "[]", "false", "0":
		return usage, ""
	}
	return usage, f.DefValue
}

// cell returns a text without the characters that would end a cell of a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", "\\|") }
