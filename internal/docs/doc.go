// Package docs has only tests. They run the code of the documentation: snippets,
// whole programs and commands, and they check that links resolve.
package docs
