// Package fleet tests the code of docs/fleet.md with real servers. It is a module, so that
// the clients of Redis and PostgreSQL stay out of the requirements of the SDK.
package fleet
