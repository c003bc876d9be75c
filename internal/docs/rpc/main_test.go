package main

import (
	"testing"

	"github.com/solwire/solwire-go/internal/docs/hosts"
)

func TestMain(m *testing.M) { hosts.Main(m) }

func Example() {
	main()
	// Output:
	// 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY allows 1000
	// E3wy2B9aQSbtLEW3JAw7EHQQPqRSBJ4VpGZrzrmNZZKs allows 338624.723577
	// 8929uUGyLg77SKP4fHcrLj6dTccr45WzyHNztxLp723X allows 90281.712112
	// FuJa896CYAyzRaPKP35mXo8Vg1MgLtyAW1hKtLd98zm5 allows 18446744073709.551615
	// 7NZ8YgRSTjkG5AJ2CkE7nEB1oT2NdybqryBnXyUciDAV allows 2.5
}
