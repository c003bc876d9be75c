// Package servers tests package sqlstore with real databases. It is a module, so that
// the drivers stay out of the requirements of the SDK.
package servers
