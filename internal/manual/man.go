package manual

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// ManPages returns a page of section 1 for the program and for each command, in the macros of
// man(7), by the names of their files.
func ManPages(p Program) map[string]string {
	pages := map[string]string{"contend.1": overview(p)}
	for _, c := range p.Commands() {
		if !c.Hidden {
			pages[manName(c)+".1"] = manPage(c)
		}
	}
	return pages
}

// manName is the name of a command's page: contend-trace-stats.
func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

func manHead(name, short string) string {
	return fmt.Sprintf(".TH %s 1 \"\" contend \"User Commands\"\n.SH NAME\n%s \\- %s\n",
		strings.ToUpper(roff(name)), roff(name), roff(short))
}

// overview is the page of the program itself.
func overview(p Program) string {
	var b strings.Builder
	b.WriteString(manHead(p.Root.Name(), p.Root.Short))
	b.WriteString(".SH SYNOPSIS\n.B contend\n.I command\n[flags]\n.SH COMMANDS\n")
	for _, c := range p.Commands() {
		if !c.Hidden {
			fmt.Fprintf(&b, ".TP\n.BR %s (1)\n%s\n", roff(manName(c)), roffText(c.Short))
		}
	}
	b.WriteString(".SH OPTIONS\n")
	options(&b, Flags(p.Root.PersistentFlags()))
	b.WriteString(".SH EXIT STATUS\n")
	for _, e := range p.Exits {
		fmt.Fprintf(&b, ".TP\n.B %d\n%s\n", e.Code, roffText(e.Meaning))
	}
	return b.String()
}

// manPage is the page of a command.
func manPage(c *cobra.Command) string {
	var b strings.Builder
	b.WriteString(manHead(manName(c), c.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.nf\n%s\n.fi\n", roffText(UseLine(c)))
	long := c.Long
	if long == "" {
		long = c.Short + "."
	}
	fmt.Fprintf(&b, ".SH DESCRIPTION\n.nf\n%s\n.fi\n", roffText(strings.TrimSpace(long)))
	if flags := Flags(c.NonInheritedFlags()); flags != nil {
		b.WriteString(".SH OPTIONS\n")
		options(&b, flags)
	}
	b.WriteString(".SH SEE ALSO\n.BR contend (1)\n")
	return b.String()
}

// options lists flags.
func options(b *strings.Builder, flags []Flag) {
	for _, f := range flags {
		usage := f.Usage
		if f.Default != "" {
			usage += " (default " + f.Default + ")"
		}
		fmt.Fprintf(b, ".TP\n.BI \"%s \" \"%s\"\n%s\n", roff(strings.Join(f.Names, ", ")), roff(f.Value),
			roffText(usage))
	}
}

// roff writes a text so that roff prints it as it is, within a line.
func roff(text string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`, `"`, `\(dq`, "…", "...").Replace(text)
}

// roffText is roff for lines of their own: none begins with a control
// character.
func roffText(text string) string {
	lines := strings.Split(roff(text), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
