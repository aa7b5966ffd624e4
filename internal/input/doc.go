// Package input reads what users and other programs write (TOML, JSON, names, files, logs) and says
// in one line what is wrong with it and what would be right.
//
// Files are read within limits: only regular files, none larger than a limit, no line longer than a
// limit, and no gzip data that expand without end. ReadFile reads a whole file; Open and
// Limits.Reader read a stream, and Limits.Gunzip unpacks one. StudyLimits, PublishedLimits,
// RunsLimits, RowsLimits and LogLimits are those of each kind of file. Finding a fault takes no
// more memory than the limits allow.
package input
