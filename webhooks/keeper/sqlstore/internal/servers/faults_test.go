package servers

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks/keeper/sqlstore"
)

// A fault breaks something, and mends it.
type fault func()

func (s *storm) count(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults[name]++
}

// outage keeps deliveries away for up to an hour of the service's time.
func (s *storm) outage() {
	s.count("outage")
	s.balancer.down.Store(true)
	time.Sleep(min(rand.N(time.Hour/speed), *stormTime/4))
	s.balancer.down.Store(false)
}

// vanish removes half of the addresses from the webhook.
func (s *storm) vanish() {
	s.count("vanish")
	var half []types.Address
	for _, i := range rand.Perm(watched)[:watched/2] {
		half = append(half, address(i))
	}
	_, _ = s.hooks.RemoveAddresses(s.t.Context(), s.webhook(), half...) // fails if too few are left
}

// off switches the webhook off.
func (s *storm) off() {
	s.count("off")
	_, _ = s.hooks.SetActive(s.t.Context(), s.webhook(), false)
}

func (s *storm) kill() {
	s.signals.Lock()
	defer s.signals.Unlock()
	s.count("kill")
	at := &s.balancer.processes[rand.IntN(processes)]
	old := at.Load()
	old.kill()
	s.mu.Lock()
	version := 1 + s.faults["kill"]%2 // in turn
	s.mu.Unlock()
	s.count(fmt.Sprint("version ", version))
	at.Store(start(s.t, s.d, s.url, old.hook, version))
}

// stop stops a process for longer than its claims hold.
func (s *storm) stop() {
	s.signals.Lock()
	defer s.signals.Unlock()
	s.count("stop")
	p := s.balancer.processes[rand.IntN(processes)].Load().cmd.Process
	_ = p.Signal(syscall.SIGSTOP)
	time.Sleep(3*time.Second + rand.N(2*time.Second))
	_ = p.Signal(syscall.SIGCONT)
}

// lock locks the tables for a while.
func (s *storm) lock() {
	s.database.Lock()
	defer s.database.Unlock()
	s.count("lock")
	conn, err := s.db.Conn(s.t.Context())
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	script := map[sqlstore.Dialect][2]string{
		sqlstore.DialectPostgreSQL: {"BEGIN; LOCK TABLE keeper_events IN ACCESS EXCLUSIVE MODE", "COMMIT"},
		sqlstore.DialectMySQL:      {"LOCK TABLES keeper_events WRITE", "UNLOCK TABLES"},
		sqlstore.DialectSQLite:     {"BEGIN EXCLUSIVE", "COMMIT"},
	}[s.d.dialect]
	if _, err := conn.ExecContext(s.t.Context(), script[0]); err != nil {
		return
	}
	time.Sleep(time.Second + rand.N(3*time.Second))
	_, _ = conn.ExecContext(s.t.Context(), script[1])
}

// disconnect ends all connections to the database.
func (s *storm) disconnect() {
	s.database.Lock()
	defer s.database.Unlock()
	switch s.d.dialect {
	case sqlstore.DialectPostgreSQL:
		s.count("disconnect")
		_, _ = s.db.Exec("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()")
	case sqlstore.DialectMySQL:
		s.count("disconnect")
		var ids []int
		rows, err := s.db.Query("SELECT id FROM information_schema.processlist WHERE id <> CONNECTION_ID()")
		if err != nil {
			return
		}
		for rows.Next() {
			var id int
			_ = rows.Scan(&id)
			ids = append(ids, id)
		}
		_ = rows.Close()
		for _, id := range ids {
			_, _ = s.db.Exec(fmt.Sprintf("KILL %d", id))
		}
	}
}

// readOnly makes the database refuse changes for a while.
func (s *storm) readOnly() {
	s.database.Lock()
	defer s.database.Unlock()
	var on, off []string
	admin := s.db
	switch s.d.dialect {
	case sqlstore.DialectPostgreSQL:
		on = []string{"ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()"}
		off = []string{"SET default_transaction_read_only = off", "ALTER SYSTEM RESET default_transaction_read_only", "SELECT pg_reload_conf()", "RESET default_transaction_read_only"}
	case sqlstore.DialectMySQL:
		dsn := os.Getenv("SQLSTORE_MYSQL_ADMIN")
		if dsn == "" {
			return
		}
		var err error
		if admin, err = sql.Open("mysql", dsn); err != nil {
			s.t.Error(err)
			return
		}
		defer func() { _ = admin.Close() }()
		on, off = []string{"SET GLOBAL read_only = 1"}, []string{"SET GLOBAL read_only = 0"}
	default:
		return
	}
	conn, err := admin.Conn(s.t.Context())
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	s.count("read-only")
	for _, statement := range on {
		if _, err := conn.ExecContext(s.t.Context(), statement); err != nil {
			s.t.Error(err)
		}
	}
	time.Sleep(time.Second + rand.N(2*time.Second))
	for _, statement := range off {
		if _, err := conn.ExecContext(s.t.Context(), statement); err != nil {
			s.t.Error(err)
		}
	}
}

// restart restarts the database with the command that the environment names.
func (s *storm) restart() {
	s.database.Lock()
	defer s.database.Unlock()
	command := os.Getenv(map[sqlstore.Dialect]string{
		sqlstore.DialectPostgreSQL: "SQLSTORE_POSTGRESQL_RESTART", sqlstore.DialectMySQL: "SQLSTORE_MYSQL_RESTART",
	}[s.d.dialect])
	if command == "" {
		return
	}
	s.count("restart")
	out, err := exec.Command("bash", "-c", command).CombinedOutput()
	if err != nil {
		s.t.Errorf("%s: %v: %s", command, err, out)
	}
	for range 100 {
		if s.db.Ping() == nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	s.t.Error("the database did not come back")
}
