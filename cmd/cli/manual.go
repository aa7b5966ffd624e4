package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"contend/internal/input"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manualCommand returns the command contend manual, which make install and make dist run. It is
// in no manual itself.
func (a *app) manualCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "manual DIR",
		Short: "Write a manual page for each command into a folder",
		Long: "Write a manual page for each command into a folder. The date of the pages is that of\n" +
			"SOURCE_DATE_EPOCH, so that they are the same whenever they are made.",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			date, err := pageDate(os.Getenv("SOURCE_DATE_EPOCH"))
			if err != nil {
				return err
			}
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return input.Bad("", "give a folder", "%v", err)
			}
			return writePages(Describe(a.names), args[0], date)
		},
	}
	explainUsage(c)
	return c
}

// pageDate returns the date of a time in seconds since 1970, that of today for "".
func pageDate(epoch string) (string, error) {
	at := time.Now()
	if epoch != "" {
		seconds, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			return "", input.Bad("", "give a time in seconds, or none", "SOURCE_DATE_EPOCH is %q", epoch)
		}
		at = time.Unix(seconds, 0).UTC()
	}
	return at.Format(time.DateOnly), nil
}

// writePages writes the page of a command and of all commands below it.
func writePages(c *cobra.Command, dir, date string) error {
	c.InitDefaultHelpFlag()
	path := filepath.Join(dir, pageName(c)+".1")
	if err := os.WriteFile(path, manualPage(c, date), 0o666); err != nil {
		return err
	}
	for _, below := range c.Commands() {
		if below.IsAvailableCommand() {
			if err := writePages(below, dir, date); err != nil {
				return err
			}
		}
	}
	return nil
}

// pageName returns the name of the page of a command, without the section.
func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// manualPage returns the page of a command in the macros of man(7).
func manualPage(c *cobra.Command, date string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, ".TH %q 1 %q contend contend\n", strings.ToUpper(pageName(c)), date)
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(pageName(c)), roff(c.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", roff(c.UseLine()))
	text := c.Short
	if c.Long != "" {
		text = c.Long
	}
	b.WriteString(".SH DESCRIPTION\n")
	writeParagraphs(&b, text)
	writeOptions(&b, "OPTIONS", c.NonInheritedFlags())
	writeOptions(&b, "OPTIONS OF ALL COMMANDS", c.InheritedFlags())
	var others []string
	if c.HasParent() {
		others = append(others, pageName(c.Parent()))
	}
	for _, below := range c.Commands() {
		if below.IsAvailableCommand() {
			others = append(others, pageName(below))
		}
	}
	if len(others) > 0 {
		fmt.Fprintf(&b, ".SH SEE ALSO\n%s(1)\n", roff(strings.Join(others, "(1), ")))
	}
	return b.Bytes()
}

// writeParagraphs writes text whose paragraphs are apart by empty lines. A paragraph with a line
// that begins with a space, such as a table, keeps its lines.
func writeParagraphs(b *bytes.Buffer, text string) {
	for i, paragraph := range strings.Split(text, "\n\n") {
		if i > 0 {
			b.WriteString(".PP\n")
		}
		format := "%s\n"
		if strings.HasPrefix(paragraph, " ") || strings.Contains(paragraph, "\n ") {
			format = ".nf\n%s\n.fi\n"
		}
		fmt.Fprintf(b, format, roff(paragraph))
	}
}

// writeOptions writes a section of flags, if there are any.
func writeOptions(b *bytes.Buffer, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(b, ".SH %s\n", title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		names := "--" + f.Name
		if f.Shorthand != "" {
			names = "-" + f.Shorthand + ", " + names
		}
		value, usage := pflag.UnquoteUsage(f)
		switch f.DefValue {
		case "", "0", "false", "[]":
		default:
			usage += fmt.Sprintf(" (default %s)", f.DefValue)
		}
		fmt.Fprintf(b, ".TP\n\\fB%s\\fR \\fI%s\\fR\n%s\n", roff(names), roff(value), roff(usage))
	})
}

// roff escapes text for troff: backslashes, hyphens, which would be typographic ones, and a control
// character at the beginning of a line.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`,
		"~", `\(ti`, "\n.", "\n\\&.").Replace(text)
	if strings.HasPrefix(text, ".") {
		text = `\&` + text
	}
	return text
}
