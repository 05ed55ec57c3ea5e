// Package sandbox gives each test a petstore sandbox. Copy this file to a folder `sandbox` of your module.
//
//	func TestMain(m *testing.M) { os.Exit(sandbox.Main(m)) }
//	func TestCreate(t *testing.T) {
//		petstore := sandbox.New(t, "empty") // the fixture
//		NewClient(petstore.URL, petstore.Key).Create("Rex")
//		petstore.Verify(`{"operation":"createPet","status":201,"exactly":1}`)
//	}
//
// A test fails if its client fails the contract check. The recording of a failed test is in `artifacts`:
// `npx petstore-sandbox open FILE` shows it.
package sandbox

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

type Sandbox struct {
	URL, Key        string // for the client under test: the address of its sandbox
	ExpectedInvalid string // responses that the test provokes on purpose: createPet:400
	id              string
	t               *testing.T
}

// Main runs the tests on the server of SANDBOX_URL, or starts one for them.
func Main(m *testing.M) int {
	if os.Getenv("SANDBOX_URL") != "" {
		return m.Run()
	}
	server := exec.Command("petstore-sandbox", "serve", "--memory", "--port", "0", "--log-format", "json")
	log, _ := server.StdoutPipe()
	if err := server.Start(); err != nil {
		panic(err)
	}
	defer server.Wait()
	defer server.Process.Signal(os.Interrupt)
	var listening struct{ URL string }
	for lines := bufio.NewScanner(log); listening.URL == "" && lines.Scan(); {
		json.Unmarshal(lines.Bytes(), &listening)
	}
	go io.Copy(io.Discard, log)
	os.Setenv("SANDBOX_URL", listening.URL+"/v1")
	return m.Run()
}

// New returns a sandbox that ends with the test.
func New(t *testing.T, fixture string) *Sandbox {
	sandbox := &Sandbox{URL: os.Getenv("SANDBOX_URL"), t: t}
	issued := struct{ Key, Sandbox, BaseURL *string }{&sandbox.Key, &sandbox.id, &sandbox.URL}
	json.Unmarshal(sandbox.Control("POST", "/keys", `{"ttlSeconds":600,"fixture":"`+fixture+`"}`), &issued)
	t.Cleanup(sandbox.end)
	return sandbox
}

// Control calls the control API: ("POST", "/reset", ""), or ("PUT", "/clock", `{"now":"2030-12-05T00:00:00Z"}`).
func (s *Sandbox) Control(method, path, body string) []byte {
	s.t.Helper()
	url := strings.TrimSuffix(s.URL, "/v1") + "/_sandbox" + path
	request, _ := http.NewRequest(method, url, strings.NewReader(body))
	request.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + s.Key}}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	if response.StatusCode >= 400 {
		s.t.Fatalf("%s %s: %d %s", method, path, response.StatusCode, text)
	}
	return text
}

// Verify fails unless the client sent this: `{"operation":"createPet","status":201,"exactly":1}`.
func (s *Sandbox) Verify(expected string) {
	s.t.Helper()
	s.Control("POST", "/requests/verify", expected)
}

func (s *Sandbox) end() {
	defer s.Control("DELETE", "/", "")
	query := "/report?"
	if s.ExpectedInvalid != "" {
		query += "expectedInvalid=" + s.ExpectedInvalid + "&"
	}
	report := s.Control("GET", query, "")
	if !strings.Contains(string(report), `"verdict":"pass"`) {
		s.t.Errorf("%s", s.Control("GET", query+"format=text", ""))
	}
	// Set by `exec`, which makes one verdict of them.
	if reports := os.Getenv("SANDBOX_REPORTS"); reports != "" {
		if err := os.WriteFile(filepath.Join(reports, s.id+".json"), report, 0o644); err != nil {
			s.t.Error(err)
		}
	}
	if s.t.Failed() {
		file := filepath.Join("artifacts", strings.ReplaceAll(s.t.Name(), "/", "-")+".jsonl")
		os.Mkdir("artifacts", 0o755)
		os.WriteFile(file, s.Control("GET", "/export?format=recording", ""), 0o644)
		s.t.Logf("npx petstore-sandbox open %s", file)
	}
}
