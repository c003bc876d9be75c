// Package docs has only tests. They check what the documentation says against
// the code: every snippet is compiled and run, links lead somewhere, commands
// and names exist, examples do as processes what they promise, and figures that
// no other package measures are measured.
package docs
