// Package written writes files that appear whole or not at all, and keeps them from replacing
// anything else than what contend has written.
//
// A Folder has a record of the files that were written into it, contend.sha256, with their
// checksums: a file that is in the record and still has its checksum is contend's. A File anywhere
// else ends with a mark, a checksum of all before it. Everything else, also such a file that was
// changed later, and a link, is foreign. Force lets a command replace foreign files, except for
// those that it reads. Devices and pipes are never replaced.
//
// A killed process leaves a folder as it was or as it is to be: the checksum of a file enters the
// record before the file gets its name.
package written
