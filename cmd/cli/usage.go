package cli

import (
	"errors"
	"fmt"

	"contend/internal/input"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// explainUsage makes the errors in the command lines of c and of the commands below it say what
// would be right.
func explainUsage(c *cobra.Command) {
	c.SetFlagErrorFunc(flagError)
	takeOnce(c.Flags())
	args := c.Args
	c.Args = func(c *cobra.Command, given []string) error {
		if c.HasSubCommands() && len(given) > 0 {
			return unknownCommand(c, given[0])
		}
		var own *input.Error
		if args == nil {
			return nil
		} else if err := args(c, given); err == nil || errors.As(err, &own) {
			return err
		}
		return &input.Error{Where: c.CommandPath(), Right: "use " + c.UseLine(),
			Problem: input.Plural(len(given), "argument") + " given"}
	}
	if c.HasSubCommands() && !c.Runnable() { // else cobra leaves the arguments unread
		c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	}
	for _, below := range c.Commands() {
		explainUsage(below)
	}
}

// unknownCommand is the error for a name that is none of the commands below c.
func unknownCommand(c *cobra.Command, name string) error {
	var names []string
	for _, below := range c.Commands() {
		if below.IsAvailableCommand() {
			names = append(names, below.Name())
		}
	}
	return input.Bad("", input.OneOf(name, names), "%s has no command %q", c.CommandPath(), name)
}

// flagError returns the error of pflag in words of the command line, with what would be right.
func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var bad *pflag.InvalidValueError
	var own *input.Error
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "":
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		name := "--" + unknown.GetSpecifiedName()
		right := c.CommandPath() + " --help shows its flags"
		if near, ok := input.Nearest(name, names); ok {
			right = fmt.Sprintf("did you mean %s?", near)
		}
		return input.Bad("", right, "%s has no flag %s", c.CommandPath(), name)
	case errors.As(err, &bad):
		right, ok := map[string]string{"int": "a whole number", "int64": "a whole number",
			"float64": "a number without a unit", "bool": "true or false"}[bad.GetFlag().Value.Type()]
		if right = "give " + right; !ok {
			right = bad.Unwrap().Error()
		}
		return &input.Error{Where: "--" + bad.GetFlag().Name, Right: right,
			Problem: fmt.Sprintf("the value is %q", bad.GetValue())}
	}
	return err
}
