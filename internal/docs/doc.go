// Package docs has only tests. They run what the documentation shows: snippets,
// whole programs and commands, and they check that links resolve.
package docs
