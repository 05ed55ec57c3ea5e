// Generated from spec/control-api.yaml by scripts/generate.mjs; change the specification instead.
export interface paths {
    readonly "/": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Describe this sandbox
         * @description The address is `/_sandbox`, with or without a trailing slash.
         */
        readonly get: operations["getSandbox"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Delete this sandbox
         * @description Deletes the sandbox with its data and its keys. Its forks stay. If the disk fails (503), nothing is deleted. The
         *     sandbox of a preconfigured key cannot be deleted (409).
         */
        readonly delete: operations["deleteSandbox"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/mcp": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Call the MCP server for coding agents
         * @description The Model Context Protocol over streamable HTTP, without sessions: each request is one JSON-RPC message. Its tools
         *     create and change sandboxes, list and verify requests, fetch the verdict and run drills, with the same permissions
         *     and limits as the operations of this API that they call.
         *
         *     A tool uses the sandbox of the handle in its argument `sandbox` or, with the admin token, the sandbox with
         *     that id. Without this argument, it uses the sandbox of the key in `Authorization`.
         */
        readonly post: operations["callMcp"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/health": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Check whether the server is ready
         * @description Returns 200 once the server has loaded its data and is listening. Returns 503 while it is stopping, or if its data directory was removed or replaced.
         */
        readonly get: operations["getHealth"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/keys": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the keys to this sandbox
         * @description Lists the active keys of the sandbox, oldest first. The keys themselves are never shown again.
         */
        readonly get: operations["listKeys"];
        readonly put?: never;
        /**
         * Create a sandbox and its key
         * @description Creates a sandbox and its key. The key is shown only in this response, because the server stores only its hash.
         *
         *     With `shared`, creates a second key to the sandbox of the request. This needs the key of that sandbox,
         *     or the admin token and `?sandbox=`. The second key expires with the first one at the latest. `fixture` has no
         *     effect.
         *
         *     With `--key-issuing admin`, the server requires the admin token.
         */
        readonly post: operations["createKey"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/keys/{keyId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /**
         * Revoke a key
         * @description The key becomes invalid immediately. A preconfigured key cannot be revoked (409).
         */
        readonly delete: operations["revokeKey"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/sign-in-codes": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Make a link that signs in to the dashboard
         * @description Creates a code for the key of this request. The link opens the dashboard with that key, once, within an
         *     hour, and never contains the key. A sandbox has at most 8 unused codes: a further one replaces the oldest.
         *     Codes are only in the server's memory, and end with it.
         */
        readonly post: operations["createSignInCode"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/sign-in": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Exchange a sign-in code for its key
         * @description Returns the key of a code, and uses up the code. The dashboard does this when its link is opened. A code that
         *     was used, has expired, or whose key was revoked gets a 404.
         */
        readonly post: operations["signIn"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/reset": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Reset to the fixture or to a snapshot
         * @description Resets the sandbox to its fixture, or to the given one, which becomes its fixture. Ids start again from the
         *     fixture's next id, the clock returns to real time, and all faults are deleted.
         *
         *     With `snapshot`, resets the sandbox to a snapshot, with the ids, clock and faults of that time.
         *
         *     A request sees either the old state or the new one. A second reset changes nothing.
         *
         *     With `scope=all`, resets every sandbox, one at a time. This needs the admin token. If some sandboxes cannot be
         *     written, the others are still reset, and the 503 says how many failed. Repeat the request to reset the rest.
         */
        readonly post: operations["reset"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/pets": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Look at the pets of this sandbox
         * @description Lists pets by ascending id, as `GET /v1/pets` returns them. Viewing pets isn't logged, triggers no fault rules,
         *     and counts in no report or drill.
         */
        readonly get: operations["lookAtPets"];
        readonly put?: never;
        /**
         * Add generated pets
         * @description Generates pets from the `NewPet` schema of the API and adds them, all or none. The same `seed` gives the
         *     same pets: a smaller `count` gives the first ones of a larger one. Their ids continue from the next id of the
         *     sandbox. Without a `seed`, the server draws one and returns it.
         */
        readonly post: operations["generatePets"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/snapshots": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the snapshots of this sandbox
         * @description Lists the snapshots, oldest first.
         */
        readonly get: operations["listSnapshots"];
        readonly put?: never;
        /**
         * Save the current state as a snapshot
         * @description Saves the pets, ids, clock and faults under a new name. If the name is taken, the response is 409. `POST /reset`
         *     with `snapshot` returns to it.
         *
         *     Saving takes the same time for any number of pets. A sandbox has at most 50 snapshots, which are deleted with it.
         */
        readonly post: operations["createSnapshot"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/snapshots/{name}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /**
         * Delete a snapshot
         * @description Deletes the snapshot and frees its name. The sandbox itself does not change.
         */
        readonly delete: operations["deleteSnapshot"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/fork": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Copy this sandbox, with a new key
         * @description Creates a sandbox with the current pets, ids, clock and faults of this one, and without its snapshots. The two
         *     sandboxes are independent from then on. A fork is a copy, so its pets count again; if there isn't enough memory
         *     for them, the response is 409 `limit_reached`.
         *
         *     With `--key-issuing admin`, the server requires the admin token.
         */
        readonly post: operations["fork"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/export": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Save this sandbox as a file
         * @description `fixture`: all current pets as a fixture file, with their ids and the next one. `--fixtures` reads the file. One
         *     of over 32 MiB, which `--fixtures` would not read, is rejected with 409.
         *
         *     `recording`: everything, as JSON lines: the fixtures, the journal of the sandbox (pets, snapshots, clock, fault
         *     rules with their counts, drill), and the request log with its verdicts. It contains no keys and no credentials
         *     (see `RecordingHead`). `POST /import` opens it. A recording of over 64 MiB is rejected with 409.
         *
         *     `har`: the request log as an HTTP Archive 1.2, for a browser's network panel or Playwright. `curl`: the request log as a shell
         *     script that takes the key from `SANDBOX_KEY`.
         *
         *     Files are sent while they are being written, so a client that stops reading early doesn't have the whole file.
         */
        readonly get: operations["exportSandbox"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/import": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Open a recording as a new sandbox
         * @description Creates a sandbox in the state that was recorded: pets, ids, snapshots, clock, fault rules with their counts,
         *     request log with verdicts, and drill. Its key is new and shown only here. Its report comes from the request log.
         *
         *     The whole file is checked first. A rejected file changes nothing: 400 names the line and what is wrong, 409 a limit of this
         *     server. A fixture that this server does not have, or has with other pets, is imported as an inline fixture. A
         *     recording of more than 64 MiB (less if the server is short of memory) is rejected with 413.
         *
         *     With `--key-issuing admin`, the server requires the admin token.
         */
        readonly post: operations["importRecording"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/clock": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read the clock
         * @description Only the API follows this clock. From 2030-12-05T00:00:00Z on, `getPet` is removed and returns 410. Keys,
         *     the control API and the `Date` header follow real time.
         */
        readonly get: operations["getClock"];
        /**
         * Set or freeze the clock
         * @description Sets the clock to `now`, from where it keeps running. `frozen` stops the clock or starts it again. A field that
         *     is left out does not change. The clock ranges from 1970 to 9999, in UTC. A time outside this range is rejected
         *     with 409.
         */
        readonly put: operations["setClock"];
        readonly post?: never;
        /**
         * Return to real time
         * @description Makes the clock follow real time again.
         */
        readonly delete: operations["resetClock"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/clock/advance": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Advance the clock
         * @description Moves the clock forward by an ISO 8601 duration, in UTC and by the calendar: a month after 31 January is the last
         *     day of February. The last of hours, minutes and seconds may have a fraction. A frozen clock stays frozen. A
         *     duration that leads beyond 9999 is rejected with 409.
         */
        readonly post: operations["advanceClock"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/faults": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the fault rules of this sandbox
         * @description Lists the rules in the order in which they are tried.
         */
        readonly get: operations["listFaults"];
        readonly put?: never;
        /**
         * Add a fault rule
         * @description Adds a rule after the existing ones. For each request to the API, rules run in order, and the first that triggers wins. If
         *     a rule doesn't trigger this time, the next one is tried: its `times` are used up, its `pattern`, `probability` or
         *     `limit` lets the request pass, or `from` is not reached. A sandbox has at most 100 rules.
         *
         *     A rule affects the response (`status` replaces it with an Error body of the code `injected_fault`; `vary` and
         *     `corrupt` change its body), the connection (`connection`), the time (`delayMs`), or several of them. Or it is a
         *     rate limit (`limit`).
         *
         *     With `when: before`, the default, an operation whose response is replaced does not happen. With `when: after`, it
         *     happens, and its response is lost, changed or replaced. The request log marks these responses as injected; they are
         *     never violations.
         *
         *     To inject a fault into one request only, send the header `Sandbox-Fault: status=503; retryAfter=2; delay=200;
         *     vary=field,order; when=after` with any of these parts, or `Prefer: code=503`. A header takes precedence over the
         *     rules and does not change their counts.
         *
         *     Browsers and some clients repeat a GET on their own if the connection is closed, which uses up `times: 1`.
         */
        readonly post: operations["createFault"];
        /**
         * Delete all fault rules
         * @description Deletes all rules, so that they inject no more faults.
         */
        readonly delete: operations["clearFaults"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/faults/{faultId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /**
         * Delete a fault rule
         * @description Deletes one rule. The others do not change.
         */
        readonly delete: operations["deleteFault"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/drills": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the drills
         * @description In a drill something goes wrong while your client does a task, and checks look at what it did. A failed `must`
         *     check means harm: a pet created twice, an incomplete list, an overloaded server. A `should` check is about good
         *     behavior.
         */
        readonly get: operations["listDrills"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/drill": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get the checks so far
         * @description The verdict is `fail` if a check of the level `must` failed. It is `incomplete` while the outcome is unknown, or
         *     if the client never met the problem. It is `not-applicable` if the first check has nothing to check, such as the
         *     waits of a client that never retries. Otherwise it is `pass`. A check is `open` until it can be decided, and
         *     `skipped` if it has nothing to check.
         */
        readonly get: operations["getDrill"];
        /**
         * Start a drill
         * @description Resets this sandbox to the start of the drill, clears its request log, adds the faults of the drill, and returns the
         *     task for the client. An active drill ends. The drill `revoked-key` revokes the key of this request and returns a
         *     second one, so it cannot be started with the admin token.
         *
         *     A drill lasts until you end it, the sandbox is reset, or the server stops.
         */
        readonly put: operations["startDrill"];
        readonly post?: never;
        /**
         * End the drill
         * @description Removes the faults and the clock of the drill. The pets and the request log stay.
         */
        readonly delete: operations["endDrill"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/drill/results/{drill}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get the last result of a drill that has ended
         * @description Returns the result of each check, and the first requests. The result is kept until the sandbox ends.
         */
        readonly get: operations["getDrillResult"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/drill/outcome": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Report the client's outcome
         * @description Records whether the client reported success, and what it returned. A success counts only with its `results`: the
         *     pet or the list that the task asked for. The last outcome counts.
         */
        readonly post: operations["reportDrillOutcome"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/report": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get the contract report
         * @description Reports what the client sent since the request log was last cleared, what broke the specification, and a verdict:
         *
         *     - `fail`: a request broke the specification or matched no operation, or a large integer came back rounded.
         *     - `incomplete`: a request was rejected unexpectedly, something couldn't be counted or validated, or no
         *       documented response was seen.
         *     - `pass`: everything else.
         *
         *     Exchanges that the request log has dropped still count.
         */
        readonly get: operations["getReport"];
        readonly put?: never;
        /**
         * Report on a HAR
         * @description Reports where the requests in an HTTP Archive break the specification. The sandbox doesn't change. Entries for
         *     other addresses are ignored, and credentials in headers, cookies and query parameters are not shown. If the
         *     file can't be used, the 400 says where and why.
         *     A HAR may be compressed with gzip (`.har.gz`), or be in a zip archive
         *     (`.har.zip`, as Playwright writes it). The limits are 1 MiB as sent, 9 to 25 MiB unpacked by
         *     the memory of the server, and 20 seconds. For a file of up to 64 MiB, run `petstore-sandbox report --har FILE`. A
         *     server with less than 384 MiB of memory responds with 409 `limit_reached`.
         */
        readonly post: operations["reportHar"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/ready": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Ask whether the client is ready for production
         * @description Returns five rows on what the client of this sandbox has done so far: it follows the specification, meets every
         *     documented response, copes with failures, survives the next change, and keeps ids exact. A row that was not tried is
         *     unknown. `petstore-sandbox ready` tries them all, in sandboxes of their own.
         */
        readonly get: operations["getReady"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/preview": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Preview a date
         * @description Reports which of the requests in the request log stop working on a date, because the operation that they use is
         *     removed by then, and what to send instead. The verdict is `fail` where a request stops working, `incomplete` where
         *     that is not known, and otherwise `pass`. To try that day, set the sandbox's clock.
         */
        readonly get: operations["getPreview"];
        readonly put?: never;
        /**
         * Preview a draft
         * @description Reports which of the requests in the request log stop working with a draft of the specification, and what to send
         *     instead. The draft is OpenAPI 3.0 or 3.1, in YAML or JSON, of at most 1 MiB, and about 20,000 fields and list items.
         *     References may only point into the draft itself: no file or address is loaded. Compiling takes at most five
         *     seconds. If the draft can't be used, the 400 says where and why. A server with less than 384 MiB of memory
         *     responds with 409 `limit_reached`.
         */
        readonly post: operations["previewDraft"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/runs": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the runs of the client
         * @description Lists the latest 20 runs in the request log, the newest first, each with the verdict on it alone and what changed
         *     since the run before of the same client, or since the one that `against` names. Two issues count as the same if their
         *     rule, operation and location are.
         */
        readonly get: operations["listRuns"];
        readonly put?: never;
        /**
         * Begin a new run
         * @description The next request of each client begins a new run, however soon it comes. Nothing is deleted. Runs that clients
         *     name with `Sandbox-Run` continue. With a name, all other requests belong to the run of that name until the next
         *     one is begun, whatever the pauses between them.
         */
        readonly post: operations["startRun"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/issues": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the issues of this client
         * @description Lists every kind of finding of the contract report once. For a run, each says how it differs from the run before of
         *     the same client, and what that run had and this one fixed stands at the end.
         */
        readonly get: operations["listIssues"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/sandboxes": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List all sandboxes
         * @description Lists all sandboxes by id, page by page: use `next` as the `after` of the next page. For requests about one sandbox, use
         *     `?sandbox=` and the admin token.
         */
        readonly get: operations["listSandboxes"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/metrics": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get metrics for Prometheus
         * @description Reports requests by operation and status, durations, violations, injected faults, sandboxes, keys, writes to the
         *     store, the counts of the validator, and the process. Counters start at the start of the server.
         */
        readonly get: operations["getMetrics"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/fixtures": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the fixtures
         * @description Lists the named sets of seed data that a sandbox can start with.
         */
        readonly get: operations["listFixtures"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/requests": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the exchanges of this sandbox
         * @description Lists the request log: the last 10,000 exchanges of the API, newest first, without their bodies. An exchange is
         *     listed as soon as its response is sent. A restart of the server empties the request log.
         *
         *     The request log has every request to the address of the sandbox, with any key or without one, and requests to
         *     `/v1` with its keys, including expired and revoked ones. Requests to `/v1` without a key, or with an unknown
         *     one, belong to no sandbox and are listed under `/requests/unmatched`.
         *
         *     All request logs together hold at most 32 MiB, less if memory is short. Beyond that, the largest request logs drop their
         *     oldest exchanges. `Authorization` is never recorded, and keys anywhere else are shown as `[key]`.
         */
        readonly get: operations["listRequests"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Clear the request log
         * @description Deletes all exchanges, and their counts in the contract report.
         */
        readonly delete: operations["clearRequests"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/requests/verify": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Verify that the client sent expected requests
         * @description Counts the matching exchanges in the request log. Returns 200 if their number is as expected, by default at least
         *     one. Otherwise returns 409, which makes `curl --fail` fail, and shows how the closest requests differ. If there
         *     were too many, it shows the requests that matched. If dropped requests could change the result, the response is
         *     409 `verification_incomplete`.
         */
        readonly post: operations["verifyRequests"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/requests/unmatched": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List requests that belong to no sandbox
         * @description Lists the last 500 requests to the API that belong to no sandbox, newest first: the key was missing,
         *     unknown or in the wrong place, or the path was not one of the API. Each entry has the reason and what to
         *     send instead. A request with an expired or revoked key is in the request log of its sandbox.
         *
         *     Credentials in headers, cookies and query parameters are not stored. Sandboxes must not see each other's traffic, so a key can read this list
         *     only if the server listens on a loopback address, without a public URL and additional hosts. Otherwise the admin
         *     token is required.
         */
        readonly get: operations["listUnmatched"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Clear the unmatched requests
         * @description Clears the list of the whole server. Everyone who can read it can clear it.
         */
        readonly delete: operations["clearUnmatched"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/requests/{requestId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get an exchange with its bodies
         * @description Returns one exchange with the first 16,384 characters of each body. Bodies are strings, exactly as they were
         *     sent, so that no digit of an int64 is lost. The response also explains the outcome, and has the corrected
         *     request.
         */
        readonly get: operations["getRequest"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/events": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Stream the events of this sandbox
         * @description Sends server-sent events until the client disconnects, the server stops, the key expires or is revoked, or the
         *     sandbox is deleted. Programs read the stream with `fetch`, because the key is sent in `Authorization`. A comment
         *     every 15 seconds keeps the connection open.
         *
         *     - `exchange`: an exchange of the API was validated. The data is an `ExchangeSummary`, and the `id` is that
         *       of the request. Events are in the order of the request log.
         *     - `reset`: the sandbox was reset; `{"at", "to": {"fixture"}}`.
         *     - `cleared`: the request log was cleared; `{"at"}`.
         *     - `key`: a key was shared or revoked; `{"at", "action", "id"}`.
         *     - `drill`: a drill was started or ended; `{"at", "drill"}`, with null after the end. A reset ends a drill too,
         *       without this event.
         *     - `unmatched`: a request belongs to no sandbox. The data is an `UnmatchedRequest`. It is sent only to readers who
         *       can use `/requests/unmatched`, and skipped for slow readers.
         *
         *     A client that reconnects with `Last-Event-ID` gets the exchanges that it missed, as far back as the request log goes.
         *     If the request log does not have that id, it gets all exchanges of the request log. Without the header, it gets new
         *     events only. A client that reads too slowly is disconnected. A sandbox has at most 8 streams, and the server 256.
         */
        readonly get: operations["streamEvents"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/openapi.yaml": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get the specification of the API, in YAML
         * @description Returns the OpenAPI specification of the petstore API, with this server's address.
         */
        readonly get: operations["getOpenapiYaml"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/openapi.json": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get the specification of the API, in JSON
         * @description Returns the OpenAPI specification of the petstore API, with this server's address.
         */
        readonly get: operations["getOpenapiJson"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control-api.json": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get the specification of the control API, in JSON
         * @description Returns this specification, with this server's address.
         */
        readonly get: operations["getControlApiJson"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control-api.yaml": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get the specification of the control API, in YAML
         * @description Returns this specification, with this server's address.
         */
        readonly get: operations["getControlApiYaml"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description JSON lines: `RecordingHead`, each `RecordingFixture` with its pets, the journal as in a data directory, each
         *     `RecordingExchange`, and `RecordingEnd`.
         */
        readonly RecordingText: string;
        /** @description A HAR that is compressed with gzip, or in a zip archive. The first bytes say which. */
        readonly PackedHar: unknown;
        /** @description Null while it is unknown. */
        readonly DrillEnd: {
            readonly success: boolean;
            readonly crashed: boolean;
            /** @description The part of the result that the client did not return although it reported success; null if nothing is missing. */
            readonly missing: string | null;
            readonly at: components["schemas"]["Time"];
        } | null;
        /** @description Body of every error response, as in the API. */
        readonly Error: {
            readonly code: components["schemas"]["ErrorCode"];
            /** @description What was wrong, where, and what to send instead. */
            readonly message: string;
            /** @description The HTTP status code. */
            readonly status: number;
        };
        /**
         * @description Every error code of this sandbox, in the API and here.
         * @enum {string}
         */
        readonly ErrorCode: "invalid_request" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "request_timeout" | "conflict" | "limit_reached" | "verification_failed" | "verification_incomplete" | "operation_removed" | "payload_too_large" | "unsupported_media_type" | "expectation_failed" | "misdirected_request" | "too_many_requests" | "headers_too_large" | "internal_error" | "not_specified" | "not_implemented" | "storage_failed" | "busy" | "shutting_down" | "injected_fault";
        /**
         * @description Name of a fixture or a snapshot.
         * @example before-checkout
         */
        readonly Name: string;
        /** @description A text of your own without control characters, to tell one from another. */
        readonly Label: string;
        /** @description Identifies a key; it is not a credential. */
        readonly KeyId: string;
        /**
         * @description Identifies a sandbox, after the name of its server if that has one (`sbx_a_…`).
         * @example sbx_5mVwQx0c2LhT8Ryd
         */
        readonly SandboxId: string;
        readonly Count: number;
        /** @description The state of the server and the counts of the validator. */
        readonly Health: {
            /** @enum {string} */
            readonly status: "ok";
            /** @description Version of the sandbox. */
            readonly version: string;
            /** @description The name of the server, one of several; null without one. */
            readonly name: string | null;
            /**
             * @description Where the sandboxes are stored.
             * @enum {string}
             */
            readonly store: "memory" | "json-files";
            /** @description Seconds since the start. */
            readonly uptimeSeconds: number;
            /** @description Counts since the start. The last three should be zero; anything else is a bug of the sandbox. */
            readonly validator: {
                /** @description Whether the validator is loaded. Until then, exchanges wait for their verdicts. */
                readonly ready: boolean;
                /** @description Exchanges that the validator has validated. */
                readonly validated: components["schemas"]["Count"];
                /** @description Exchanges on which the validator failed. */
                readonly validationFailures: components["schemas"]["Count"];
                /** @description Requests about which the service and the validator disagree. */
                readonly disagreements: components["schemas"]["Count"];
                /** @description Responses of the sandbox that break its specifications. */
                readonly brokenResponses: components["schemas"]["Count"];
            };
        };
        /** @description Options of the new key and its sandbox. */
        readonly NewKey: {
            readonly label?: components["schemas"]["Label"];
            /**
             * @description The fixture that the new sandbox starts from, by name or as a value; by default the server's setting. A
             *     value is kept by this sandbox, its forks and its recordings.
             */
            readonly fixture?: components["schemas"]["Name"] | components["schemas"]["InlineFixture"];
            /** @description How long the key opens its sandbox; by default the server's setting. */
            readonly ttlSeconds?: number;
            /** @description Whether to create a second key to the same sandbox instead of a new sandbox. */
            readonly shared?: boolean;
        };
        /** @description A key as it is listed, without the key itself. */
        readonly Key: {
            readonly id: components["schemas"]["KeyId"];
            readonly sandbox: components["schemas"]["SandboxId"];
            readonly label: components["schemas"]["LabelOrNull"];
            /** @description The fixture of the sandbox; `inline` for one that came as a value. */
            readonly fixture: components["schemas"]["Name"];
            readonly createdAt: components["schemas"]["Time"];
            readonly expiresAt: components["schemas"]["TimeOrNull"];
            /**
             * Format: uri
             * @description Base address of the API in this sandbox. Every request that comes there belongs to it, whatever its key.
             */
            readonly baseUrl: string;
            /**
             * Format: uri
             * @description The base address that all sandboxes share. There, only the key says which sandbox a request is for.
             */
            readonly sharedBaseUrl: string;
            /** @description Whether the request was sent with this key. */
            readonly current: boolean;
        };
        /** @description A new key. */
        readonly IssuedKey: {
            readonly id: components["schemas"]["KeyId"];
            /** @description The key itself. Store it; it is not shown again. */
            readonly key: string;
            /**
             * @description Send it to the control API in place of the key; the petstore API rejects it. It's for tools that control the
             *     sandbox and don't need the key, such as a coding agent. It is not shown again.
             * @example petsbh_thisIsNoHandleLooksLikeOne0000000
             */
            readonly handle: string;
            readonly sandbox: components["schemas"]["SandboxId"];
            readonly label: components["schemas"]["LabelOrNull"];
            /** @description The fixture of the sandbox; `inline` for one that came as a value. */
            readonly fixture: components["schemas"]["Name"];
            readonly createdAt: components["schemas"]["Time"];
            readonly expiresAt: components["schemas"]["TimeOrNull"];
            /**
             * Format: uri
             * @description Base address of the API in this sandbox. Every request that comes there belongs to it, whatever its key.
             */
            readonly baseUrl: string;
            /**
             * Format: uri
             * @description The base address that all sandboxes share. There, only the key says which sandbox a request is for.
             */
            readonly sharedBaseUrl: string;
        };
        /** @description A code that signs in to the dashboard once. */
        readonly SignInCode: {
            readonly code: components["schemas"]["Code"];
            /**
             * Format: uri
             * @description The dashboard's address with the code, after `#`, which browsers do not send.
             */
            readonly url: string;
            readonly expiresAt: components["schemas"]["Time"];
        };
        /**
         * @description 26 letters and digits.
         * @example thisIsNoCodeButLooksLike1x
         */
        readonly Code: string;
        /** @description A code to exchange. */
        readonly SignIn: {
            readonly code: components["schemas"]["Code"];
        };
        /** @description The key that a sign-in code was exchanged for, and its sandbox. */
        readonly SignedIn: {
            /** @description The key itself. */
            readonly key: string;
            readonly sandbox: components["schemas"]["SandboxId"];
        };
        /** @description A JSON-RPC 2.0 message. */
        readonly McpMessage: {
            /** @enum {string} */
            readonly jsonrpc: "2.0";
            /** @description A string or an integer; null in an error for a message that has none. A notification has no id. */
            readonly id?: unknown;
            readonly method?: string;
            readonly params?: Record<string, never>;
            readonly result?: Record<string, never>;
            readonly error?: Record<string, never>;
        };
        /** @description The keys to one sandbox. */
        readonly Keys: {
            readonly keys: readonly components["schemas"]["Key"][];
        };
        /** @description A sandbox and the figures of its content. */
        readonly Sandbox: {
            readonly id: components["schemas"]["SandboxId"];
            readonly label: components["schemas"]["LabelOrNull"];
            /** @description The fixture that a reset restores; `inline` for one that came as a value. */
            readonly fixture: components["schemas"]["Name"];
            readonly createdAt: components["schemas"]["Time"];
            readonly expiresAt: components["schemas"]["TimeOrNull"];
            /** @description Whether its key comes from the settings of the server. Such a sandbox never expires. */
            readonly preconfigured: boolean;
            /** @description The number of its pets. */
            readonly pets: {
                /** @description Pets from the fixture. */
                readonly fixture: components["schemas"]["Count"];
                /** @description Pets added since the last reset. */
                readonly added: components["schemas"]["Count"];
                /** @description Both together. */
                readonly total: components["schemas"]["Count"];
            };
            /**
             * Format: int64
             * @description The id of the next pet; null when no int64 is left.
             */
            readonly nextId: bigint | null;
            /** @description The number of its keys. */
            readonly keys: {
                /** @description Active keys. */
                readonly active: components["schemas"]["Count"];
            };
            /** @description When a request last acted on it. */
            readonly lastUsedAt: components["schemas"]["Time"];
            /** @description The drill that is running; null if none is. */
            readonly drill: components["schemas"]["DrillId"] | null;
            /** @description The last result of each drill that has ended in this sandbox. They stay until the sandbox ends. */
            readonly drillResults: readonly components["schemas"]["DrillVerdict"][];
        };
        /** @description The state to restore. */
        readonly ResetRequest: {
            /** @description The fixture to restore, by name or as a value; by default the sandbox's own. */
            readonly fixture?: components["schemas"]["Name"] | components["schemas"]["InlineFixture"];
            /** @description The snapshot to restore instead of a fixture, with its clock and faults. Not with `scope=all`. */
            readonly snapshot?: components["schemas"]["Name"];
            /** @description Whether to clear the request log too. */
            readonly requestLog?: boolean;
        };
        /** @description The result of a reset. */
        readonly ResetResult: {
            /** @description The number of sandboxes that were reset. */
            readonly sandboxes: components["schemas"]["Count"];
            /** @description The sandbox after the reset; absent with `scope=all`. */
            readonly sandbox?: components["schemas"]["Sandbox"];
        };
        /** @description A pet as returned. */
        readonly Pet: {
            /**
             * Format: int64
             * @description Unique identifier, assigned by the service on creation.
             */
            readonly id: bigint;
            /** @description The pet's name. */
            readonly name: string;
            /**
             * Format: int64
             * @description Identifier of the category the pet belongs to.
             */
            readonly categoryId: bigint;
            /** @description Availability status; absent when none was given. */
            readonly status?: components["schemas"]["PetStatus"];
        };
        /**
         * @description Availability status of a pet. Transitions between the values aren't documented.
         * @enum {string}
         */
        readonly PetStatus: "available" | "pending" | "sold";
        /** @description Pets of a sandbox. */
        readonly PetsOfSandbox: {
            /** @description All pets of the sandbox. */
            readonly total: components["schemas"]["Count"];
            readonly pets: readonly components["schemas"]["Pet"][];
        };
        /** @description Parameters of the generated pets. */
        readonly GenerateRequest: {
            /** @description The number of pets. */
            readonly count: number;
            /** @description The same seed gives the same pets. Drawn and returned if omitted. */
            readonly seed?: number;
            /** @description The status of all pets; any or none if omitted. */
            readonly status?: components["schemas"]["PetStatus"];
        };
        /** @description The generated pets. */
        readonly GeneratedPets: {
            /** @description The number of pets. */
            readonly count: number;
            /** @description The seed that gives the same pets again. */
            readonly seed: number;
            /**
             * Format: int64
             * @description The smallest of the new ids.
             */
            readonly firstId: bigint;
            /**
             * Format: int64
             * @description The largest of the new ids. Ids between the two may belong to the fixture.
             */
            readonly lastId: bigint;
            readonly pets: readonly components["schemas"]["Pet"][];
        };
        /** @description The name of the present state. */
        readonly NewSnapshot: {
            readonly name: components["schemas"]["Name"];
        };
        /** @description The snapshots of one sandbox. */
        readonly Snapshots: {
            readonly snapshots: readonly components["schemas"]["Snapshot"][];
        };
        /** @description A named state of a sandbox. */
        readonly Snapshot: {
            readonly name: components["schemas"]["Name"];
            readonly createdAt: components["schemas"]["Time"];
            /** @description The fixture of this state. */
            readonly fixture: components["schemas"]["Name"];
            /** @description The number of its pets, including the fixture's. */
            readonly pets: components["schemas"]["Count"];
        };
        /** @description Options of the new key and its sandbox. */
        readonly NewFork: {
            readonly label?: components["schemas"]["Label"];
            /** @description How long the key opens its sandbox; by default the server's setting, and never longer than the first key of the sandbox that it is forked from. */
            readonly ttlSeconds?: number;
        };
        /** @description A sandbox's clock. */
        readonly Clock: {
            /**
             * Format: date-time
             * @description The sandbox's time, in UTC.
             */
            readonly now: string;
            /** @description Whether it is frozen. */
            readonly frozen: boolean;
        };
        /** @description The new state of the clock. */
        readonly NewClock: {
            /**
             * Format: date-time
             * @description An RFC 3339 time with a zone, from 1970 to 9999.
             */
            readonly now?: string;
            /** @description Whether to freeze it. */
            readonly frozen?: boolean;
        };
        /** @description The time to advance. */
        readonly Advance: {
            /**
             * @description An ISO 8601 duration without a sign.
             * @example P30D
             * @example P1M
             * @example PT1H30M
             */
            readonly duration: string;
        };
        /** @description The fault rules of one sandbox. */
        readonly Faults: {
            readonly faults: readonly components["schemas"]["Fault"][];
        };
        /**
         * @description Identifies a fault rule.
         * @example flt_3nBqT7xK0aZc5RmE
         */
        readonly FaultId: string;
        /** @description The fault to inject, and the requests that it affects. */
        readonly NewFault: {
            /** @description The operation that it affects; by default every one. */
            readonly operation?: components["schemas"]["OperationName"];
            /**
             * @description The pet id in the path, as a string of digits.
             * @example 42
             */
            readonly petId?: string;
            /**
             * @description Parameters in the query, like `status=sold&limit=5`. It may have others.
             * @example status=sold
             */
            readonly query?: string;
            /**
             * @description `before`: the operation doesn't happen. `after`: it happens, and the fault changes its response. By default `after` for
             *     `truncate`, `vary` or `corrupt` without a status, otherwise `before`.
             * @enum {string}
             */
            readonly when?: "before" | "after";
            /**
             * @description The response is an Error body with this status.
             * @example 503
             */
            readonly status?: number;
            /**
             * @description Seconds in the header `Retry-After` of that response.
             * @example 2
             */
            readonly retryAfter?: number;
            /**
             * @description `seconds`, the default, or an HTTP `date`. It has whole seconds, so it may be up to a second earlier.
             * @enum {string}
             */
            readonly retryAfterAs?: "seconds" | "date";
            /**
             * @description The delay of the response in milliseconds.
             * @example 500
             */
            readonly delayMs?: number;
            /**
             * @description Delays are spread evenly between `delayMs` and this.
             * @example 2000
             */
            readonly delayToMs?: number;
            /**
             * @description The body is sent this slowly, ten parts a second, but takes a minute at most.
             * @example 1000
             */
            readonly bytesPerSecond?: number;
            /**
             * @description `reset`: a TCP reset instead of a response. `empty`: the connection closes without a byte. `truncate`: the head, with the
             *     length of the whole response, then half of the body. Before the operation, and without a status, that's half of a 503.
             * @enum {string}
             */
            readonly connection?: "reset" | "empty" | "truncate";
            /**
             * @description Changes the body in ways that a robust client tolerates. `field`: one more in each object. `order`: fields in reverse
             *     order. `space`: white space between tokens. `status`: the first pet is `reserved`. `code`: an error with the code `quota_spent`.
             * @example [
             *       "field",
             *       "order"
             *     ]
             */
            readonly vary?: readonly ("field" | "order" | "space" | "status" | "code")[];
            /**
             * @description Breaks the body. `json`: its last character is missing, and not counted in the length. `type`: the first integer of its first
             *     object is a string. `required`: its first object lacks its first field.
             * @enum {string}
             */
            readonly corrupt?: "json" | "type" | "required";
            /**
             * @description A rate limiter: from a first request on, `requests` pass within `seconds`. Further ones get a 429, or `status`, with the rest
             *     of these seconds in `Retry-After`. It counts in real time.
             * @example {
             *       "requests": 10,
             *       "seconds": 60
             *     }
             */
            readonly limit?: {
                /** @description Requests that pass in one window. */
                readonly requests: number;
                /** @description The length of a window. */
                readonly seconds: number;
            };
            /**
             * @description The number of the first matching request that may trigger it; by default 1.
             * @example 3
             */
            readonly from?: number;
            /**
             * @description One character for each matching request, repeated: `x` triggers the fault, `.` passes.
             * @example xx.
             */
            readonly pattern?: string;
            /**
             * @description How often it triggers; by default without limit.
             * @example 2
             */
            readonly times?: number;
            /**
             * @description The probability that a request triggers it.
             * @example 0.2
             */
            readonly probability?: number;
            /**
             * @description The same seed repeats the same random choices and delays. If one is needed and omitted, it's drawn and returned.
             * @example 7
             */
            readonly seed?: number;
        } & (unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown);
        /** @description A fault rule. */
        readonly Fault: {
            readonly id: components["schemas"]["FaultId"];
            /** @description The operation that it affects; by default every one. */
            readonly operation?: components["schemas"]["OperationName"];
            /**
             * @description The pet id in the path, as a string of digits.
             * @example 42
             */
            readonly petId?: string;
            /**
             * @description Parameters in the query, like `status=sold&limit=5`. It may have others.
             * @example status=sold
             */
            readonly query?: string;
            /**
             * @description `before`: the operation doesn't happen. `after`: it happens, and the fault changes its response. By default `after` for
             *     `truncate`, `vary` or `corrupt` without a status, otherwise `before`.
             * @enum {string}
             */
            readonly when: "before" | "after";
            /**
             * @description The response is an Error body with this status.
             * @example 503
             */
            readonly status?: number;
            /**
             * @description Seconds in the header `Retry-After` of that response.
             * @example 2
             */
            readonly retryAfter?: number;
            /**
             * @description `seconds`, the default, or an HTTP `date`. It has whole seconds, so it may be up to a second earlier.
             * @enum {string}
             */
            readonly retryAfterAs?: "seconds" | "date";
            /**
             * @description The delay of the response in milliseconds.
             * @example 500
             */
            readonly delayMs?: number;
            /**
             * @description Delays are spread evenly between `delayMs` and this.
             * @example 2000
             */
            readonly delayToMs?: number;
            /**
             * @description The body is sent this slowly, ten parts a second, but takes a minute at most.
             * @example 1000
             */
            readonly bytesPerSecond?: number;
            /**
             * @description `reset`: a TCP reset instead of a response. `empty`: the connection closes without a byte. `truncate`: the head, with the
             *     length of the whole response, then half of the body. Before the operation, and without a status, that's half of a 503.
             * @enum {string}
             */
            readonly connection?: "reset" | "empty" | "truncate";
            /**
             * @description Changes the body in ways that a robust client tolerates. `field`: one more in each object. `order`: fields in reverse
             *     order. `space`: white space between tokens. `status`: the first pet is `reserved`. `code`: an error with the code `quota_spent`.
             * @example [
             *       "field",
             *       "order"
             *     ]
             */
            readonly vary?: readonly ("field" | "order" | "space" | "status" | "code")[];
            /**
             * @description Breaks the body. `json`: its last character is missing, and not counted in the length. `type`: the first integer of its first
             *     object is a string. `required`: its first object lacks its first field.
             * @enum {string}
             */
            readonly corrupt?: "json" | "type" | "required";
            /**
             * @description A rate limiter: from a first request on, `requests` pass within `seconds`. Further ones get a 429, or `status`, with the rest
             *     of these seconds in `Retry-After`. It counts in real time.
             * @example {
             *       "requests": 10,
             *       "seconds": 60
             *     }
             */
            readonly limit?: {
                /** @description Requests that pass in one window. */
                readonly requests: number;
                /** @description The length of a window. */
                readonly seconds: number;
            };
            /**
             * @description The number of the first matching request that may trigger it; by default 1.
             * @example 3
             */
            readonly from?: number;
            /**
             * @description One character for each matching request, repeated: `x` triggers the fault, `.` passes.
             * @example xx.
             */
            readonly pattern?: string;
            /**
             * @description How often it triggers; by default without limit.
             * @example 2
             */
            readonly times?: number;
            /**
             * @description The probability that a request triggers it.
             * @example 0.2
             */
            readonly probability?: number;
            /**
             * @description The same seed repeats the same random choices and delays. If one is needed and omitted, it's drawn and returned.
             * @example 7
             */
            readonly seed?: number;
            /** @description The number of requests that triggered it. */
            readonly triggered: components["schemas"]["Count"];
        };
        /** @example lost-create */
        readonly DrillId: string;
        /**
         * @description `writes`: nothing is done twice or halfway. `retries`: the client waits and gives up. `compatibility`: the client
         *     survives the next version.
         * @enum {string}
         */
        readonly DrillGroup: "writes" | "retries" | "compatibility";
        /**
         * @description `list`: list the pets, `times` times one after the other. `list-at-once`: `times` lists at the same time. `create`:
         *     create a pet named `petName`. `get`: get the pet `petId`. `list-and-get`: list the pets, find the one named
         *     `petName`, and get it by its id in the list. `all`: list, create and get.
         * @enum {string}
         */
        readonly DrillTaskName: "list" | "list-at-once" | "create" | "get" | "list-and-get" | "all";
        /** @description The catalog. */
        readonly Drills: {
            readonly drills: readonly components["schemas"]["Drill"][];
        };
        /** @description A drill. */
        readonly Drill: {
            readonly id: components["schemas"]["DrillId"];
            readonly group: components["schemas"]["DrillGroup"];
            /** @description What goes wrong in it. */
            readonly title: string;
            readonly task: components["schemas"]["DrillTaskName"];
            /** @description How often the client repeats its task. */
            readonly times: number;
            readonly checks: readonly components["schemas"]["DrillCheck"][];
        };
        /** @description A check of the client's behavior. */
        readonly DrillCheck: {
            readonly id: components["schemas"]["DrillId"];
            /** @enum {string} */
            readonly level: "must" | "should";
            /** @description The condition that must hold. */
            readonly title: string;
            /** @description The source of this requirement. */
            readonly source: string;
            /** @description How to change a client that fails the check. */
            readonly fix: string;
        };
        /** @description The drill to start. */
        readonly NewDrill: {
            readonly drill: components["schemas"]["DrillId"];
        };
        /** @description The task of the client. */
        readonly DrillTask: {
            readonly drill: components["schemas"]["DrillId"];
            readonly group: components["schemas"]["DrillGroup"];
            readonly title: string;
            readonly task: components["schemas"]["DrillTaskName"];
            readonly times: number;
            /** @description The pet to create or to find. */
            readonly petName: string | null;
            /** @description The pet to get, by its digits. */
            readonly petId: string | null;
            /** @description A second key, if the first one is revoked. */
            readonly secondKey: string | null;
            readonly startedAt: components["schemas"]["Time"];
        };
        /** @description The outcome that the client reported. */
        readonly DrillOutcome: {
            /** @description Whether it reported success, by exit code 0 or by not throwing. */
            readonly success: boolean;
            /**
             * @description Whether it ended without an outcome, by a signal, at its time limit, or by an exception of its own that nobody caught.
             * @default false
             */
            readonly crashed: boolean;
            /**
             * @description What the client returned: a pet or a list of pets for each step of the task, in order. The task `all` has
             *     three steps: list, create and get. A pet needs its `id`, as an integer or as a string of its digits, and its `name`.
             * @default []
             */
            readonly results: readonly unknown[];
        };
        /** @description A drill and its result. */
        readonly DrillResult: {
            readonly drill: components["schemas"]["DrillId"];
            readonly group: components["schemas"]["DrillGroup"];
            readonly title: string;
            readonly task: components["schemas"]["DrillTaskName"];
            /** @description The pet to create or to find. */
            readonly petName: string | null;
            /** @description The pet to get, by its digits. */
            readonly petId: string | null;
            readonly strict: boolean;
            readonly startedAt: components["schemas"]["Time"];
            readonly outcome: components["schemas"]["DrillEnd"];
            /** @enum {string} */
            readonly verdict: "pass" | "fail" | "incomplete" | "not-applicable";
            /** @description Why the verdict is not `pass`. */
            readonly reason: string | null;
            readonly account: components["schemas"]["RequestAccount"];
            readonly checks: readonly components["schemas"]["DrillCheckResult"][];
            /** @description The checks that failed, with rules like `lost-create/one-pet`, and why a drill has no verdict. */
            readonly findings: readonly components["schemas"]["Finding"][];
            /** @description The client's first requests, oldest first. */
            readonly requests: readonly components["schemas"]["ExchangeSummary"][];
        };
        /** @description The result of a drill that has ended. */
        readonly DrillVerdict: {
            readonly drill: components["schemas"]["DrillId"];
            readonly startedAt: components["schemas"]["Time"];
            /** @enum {string} */
            readonly verdict: "pass" | "fail" | "incomplete" | "not-applicable";
        };
        /** @description The result of a drill that has ended, with what each check found. */
        readonly EndedDrill: {
            readonly drill: components["schemas"]["DrillId"];
            readonly startedAt: components["schemas"]["Time"];
            /** @enum {string} */
            readonly verdict: "pass" | "fail" | "incomplete" | "not-applicable";
            /** @description Why the verdict is not `pass`. */
            readonly reason: string | null;
            /** @description The pet to create or to find. */
            readonly petName: string | null;
            readonly outcome: components["schemas"]["DrillEnd"];
            readonly checks: readonly {
                readonly id: components["schemas"]["DrillId"];
                /** @enum {string} */
                readonly status: "pass" | "fail" | "skipped" | "open";
                /** @description The result, as a sentence. */
                readonly words: string;
                /** @description The requests that show it. */
                readonly requests: readonly components["schemas"]["RequestId"][];
            }[];
            /** @description The client's first requests, oldest first. They may be gone from the request log. */
            readonly requests: readonly {
                readonly id: components["schemas"]["RequestId"];
                readonly at: components["schemas"]["Time"];
                readonly respondedAt: components["schemas"]["Time"];
                /** @description When the client disconnected before its response; null if it stayed. */
                readonly disconnectedAt: components["schemas"]["TimeOrNull"];
                readonly method: string;
                /** @description Path and query, shortened. */
                readonly target: string;
                /** @description Status of the response; 0 if none was sent. */
                readonly status: number;
                /** @description The fault that replaced or changed the response; null without one. */
                readonly injectedFault: components["schemas"]["NewFault"] | null;
                /** @description The changes made by the request; null without changes. */
                readonly changes: {
                    /** @description Ids of the pets that it created, as strings with all digits. */
                    readonly created: readonly string[];
                } | null;
            }[];
        };
        /** @description A check with its result. */
        readonly DrillCheckResult: {
            readonly id: components["schemas"]["DrillId"];
            /** @enum {string} */
            readonly level: "must" | "should";
            readonly title: string;
            readonly source: string;
            /** @enum {string} */
            readonly status: "pass" | "fail" | "skipped" | "open";
            /** @description The result, as a sentence. */
            readonly words: string;
            /** @description The requests that show it. */
            readonly requests: readonly components["schemas"]["RequestId"][];
        };
        /** @description A page of sandboxes. */
        readonly Sandboxes: {
            readonly sandboxes: readonly components["schemas"]["Sandbox"][];
            /** @description The total number. */
            readonly total: components["schemas"]["Count"];
            /** @description The `after` of the next page; null when this is the last. */
            readonly next: string | null;
        };
        /** @description The fixtures of this server. */
        readonly Fixtures: {
            readonly fixtures: readonly components["schemas"]["Fixture"][];
        };
        /** @description A named set of seed data. */
        readonly Fixture: {
            readonly name: components["schemas"]["Name"];
            /** @description The purpose of the fixture. */
            readonly description: string;
            /** @description The number of its pets. */
            readonly pets: components["schemas"]["Count"];
        };
        /**
         * @description Seed data as a value: `pets`, or `generate` instead, in the form of a fixture file. An error names every problem
         *     with its place. Ids must be unique. Responses call the fixture `inline`.
         */
        readonly InlineFixture: {
            /** @description Ignored. A saved file may contain it. */
            readonly $schema?: string;
            /** @description Ignored. A saved file contains it. */
            readonly description?: string;
            /**
             * Format: int64
             * @description The first id to assign; existing ones are skipped. By default one above the largest id of the pets, or 1.
             */
            readonly nextId?: bigint;
            /** @description The pets, in any order. */
            readonly pets?: readonly components["schemas"]["Pet"][];
            /** @description Generates the pets, with the ids 1, 2, 3 and so on. The same seed gives the same pets. */
            readonly generate?: {
                readonly count: number;
                readonly seed: number;
            };
        };
        /** @description A set of seed data as a file. `fixtures/fixture.schema.json` describes all that such a file may hold. */
        readonly FixtureFile: {
            /** @description The purpose of the fixture. */
            readonly description: string;
            /**
             * Format: int64
             * @description The first id to assign; absent when no int64 is left.
             */
            readonly nextId?: bigint;
            /** @description The pets by ascending id. */
            readonly pets: readonly components["schemas"]["Pet"][];
        };
        /** @description An HTTP Archive 1.2. Fields that HAR doesn't have are in `_sandbox` of each entry. */
        readonly Har: {
            readonly log: {
                /** @constant */
                readonly version: "1.2";
                readonly creator: Record<string, never>;
                readonly entries: readonly Record<string, never>[];
            };
        };
        /**
         * @description The first line of a recording: one sandbox as JSON lines, with its state and its requests. It contains no keys,
         *     no secrets of the settings, and no credentials in headers, cookies and query parameters: they are replaced by
         *     `[key]`.
         */
        readonly RecordingHead: {
            /**
             * @description The version of the format.
             * @constant
             */
            readonly recording: 2;
            /** @description A note on the content of this file. */
            readonly about: string;
            /** @description Version of the program that wrote it. */
            readonly program: string;
            /** @description Version of the petstore API's specification. */
            readonly specification: string;
            /** @description When it was written. */
            readonly exportedAt: components["schemas"]["Time"];
            /** @description What was left of the requests that the request log no longer had, by run. */
            readonly dropped: readonly {
                /** @description Their run; null where it is not known. */
                readonly run: components["schemas"]["Run"] | null;
                /** @description How many there were. */
                readonly requests: components["schemas"]["Count"];
                /** @description How many of them broke the specification. */
                readonly failures: components["schemas"]["Count"];
                /** @description Other requests that may be of the run, and whose heads could not be read. */
                readonly broken: components["schemas"]["Count"];
            }[];
            /** @description Whether a run was begun that had no request yet. */
            readonly isRunBegun: boolean;
        };
        /**
         * @description A fixture that the journal of a recording names. Its pets follow in lines like `{"pets":[…]}`, and the journal
         *     follows all fixtures.
         */
        readonly RecordingFixture: {
            readonly fixture: components["schemas"]["Name"];
            /** @description The purpose of the fixture. */
            readonly description: string;
            /**
             * @description The first id to assign, with all digits; one more than the largest int64 when none is left.
             * @example 13
             */
            readonly nextId: string;
        };
        /** @description An exchange in a recording, as `{"exchange":{…}}`, the oldest first. Bodies are cut after 16,384 characters. */
        readonly RecordingExchange: {
            readonly operation?: components["schemas"]["OperationName"] | null;
            /**
             * @description A method that Node's HTTP parser accepts.
             * @example GET
             */
            readonly method?: string;
            /**
             * @description In origin form (RFC 9112, section 3.2.1), so that it never names another host.
             * @example /v1/pets?limit=1
             */
            readonly target?: string;
            readonly request?: {
                readonly bytes?: unknown;
                readonly contentType?: string | null;
                /** @description The headers that the server keeps. They never contain a credential. */
                readonly headers?: {
                    readonly [key: string]: string;
                };
            };
            readonly response?: {
                readonly bytes?: unknown;
                readonly contentType?: string | null;
                /** @description Names of letters and hyphens, as a sandbox sends them. */
                readonly headers?: {
                    readonly [key: string]: string;
                };
            };
            /** @description 0 if nothing was sent. */
            readonly status?: 0 | components["schemas"]["HttpStatus"];
            readonly validationError?: string | null;
            /** @description Whether the service accepted the request as sent. */
            readonly accepted: boolean;
            /** @description When the request arrived, by a clock that never jumps, in milliseconds since 1970 with a fraction. */
            readonly startMs: number;
        } & components["schemas"]["Exchange"];
        /** @description The last line of a recording. */
        readonly RecordingEnd: {
            /** @description The number of lines before it, which reveals a truncated file. */
            readonly end: components["schemas"]["Count"];
        };
        /**
         * @description Identifies a request; the value of `Sandbox-Request-Id`.
         * @example req_7Hq2LmX9cVb4TnRz
         */
        readonly RequestId: string;
        /**
         * @description The id of a request; in the report on a HAR its place there, like `entry 0`.
         * @example req_7Hq2LmX9cVb4TnRz
         */
        readonly ReportedRequestId: string;
        /**
         * @description An operation of the API.
         * @enum {string}
         */
        readonly OperationName: "listPets" | "createPet" | "getPet";
        /** @description An HTTP status code. */
        readonly HttpStatus: number;
        /** @description A time in RFC 3339 with a zone, or the id of a request that is in the request log. */
        readonly Since: components["schemas"]["RequestId"] | string;
        /** @description A violation of the specification, as worded by the validator. */
        readonly Violation: {
            /**
             * @description Whether the request or the response violates it.
             * @enum {string}
             */
            readonly side: "request" | "response";
            /** @description Location in the message, like `query/limit` or `body/categoryId`. */
            readonly location: string;
            /** @description Location in the specification, as a JSON pointer. */
            readonly pointer: string;
            /** @description The violated rule, like `maximum` or `required`. */
            readonly rule: string;
            readonly message: string;
        };
        /** @description Allowed by the specification, but probably a mistake. */
        readonly Warning: {
            /** @description Location in the message; `operation` for the use of a deprecated one. */
            readonly location: string;
            /** @enum {string} */
            readonly rule: "unknown-field" | "unknown-parameter" | "deprecated" | "rejected-beyond-specification" | "expected-invalid-but-valid" | "int64-possibly-rounded";
            readonly message: string;
        };
        /** @description A request and its response, without their bodies. */
        readonly ExchangeSummary: {
            readonly id: components["schemas"]["RequestId"];
            /** @description When the request arrived. */
            readonly at: components["schemas"]["Time"];
            /** @description Milliseconds until the response was sent. */
            readonly durationMs: number;
            /**
             * @description When the response was sent: stamped just before its first byte, so that the time until the client's next
             *     request is never measured too short. If no response was sent, when the exchange ended.
             */
            readonly respondedAt: components["schemas"]["Time"];
            /** @description When the server noticed that the client had disconnected before its response; null if it stayed. */
            readonly disconnectedAt: components["schemas"]["TimeOrNull"];
            /** @description The operation; null if none matches. */
            readonly operation: string | null;
            readonly method: string;
            /**
             * @description The id in the address that the request was sent to, `/sbx_5mVwQx0c2LhT8Ryd/v1`; null for `/v1`, where only the key
             *     says which sandbox is meant.
             * @example sbx_5mVwQx0c2LhT8Ryd
             */
            readonly address: string | null;
            /** @description Path and query as sent, without the address of a sandbox. */
            readonly target: string;
            /** @description Status of the response; 0 if none was sent. */
            readonly status: number;
            readonly request: components["schemas"]["MessageSummary"];
            readonly response: components["schemas"]["MessageSummary"];
            /** @description How long a fault delayed the response, in milliseconds; 0 without a delay. */
            readonly delayMs: number;
            /** @description The changes made by the request, even if the client was not told; null without changes. */
            readonly changes: {
                /** @description Ids of the pets that it created, as strings with all digits. */
                readonly created: readonly string[];
            } | null;
            /** @description The fault that replaced or changed the response; null without one. */
            readonly injectedFault: components["schemas"]["NewFault"] | null;
            /** @description Why the request never reached an operation: it is not HTTP as RFC 9112 defines it. Otherwise null. */
            readonly malformed: {
                readonly cause: components["schemas"]["MalformedCause"];
                /** @description The error, as text. */
                readonly message: string;
            } | null;
            /** @description Whether the validator has validated it. HEAD requests, and requests without a matching operation, are not validated. */
            readonly validated: boolean;
            /** @description Why the validator failed on it; null if it did not. */
            readonly validationError: string | null;
            readonly violations: readonly components["schemas"]["Violation"][];
            /** @description The `name` in the body of the request, cut after 100 characters; null without one. */
            readonly petName: string | null;
            /** @description The run of the client that it belongs to; null for a request of the dashboard. */
            readonly run: components["schemas"]["Run"] | null;
            /** @description The count of the account that it is in. */
            readonly kind: components["schemas"]["AccountKind"];
            /**
             * @description Whether a page of this server sent it, with `Sandbox-Source: dashboard`. It doesn't count in the contract
             *     report or for behavior warnings.
             */
            readonly fromDashboard: boolean;
            readonly warnings: readonly components["schemas"]["Warning"][];
            /** @description Remarks, one line each, the most important first. */
            readonly remarks: readonly components["schemas"]["Remark"][];
        };
        /** @description A few words about a request, and how serious they are. */
        readonly Remark: {
            /**
             * @description `bad`: a violation or a loss. `warn`: a warning. `fault`: what a fault did.
             * @enum {string}
             */
            readonly kind: "good" | "bad" | "warn" | "fault" | "quiet";
            readonly text: string;
        };
        /** @description A message without its body. */
        readonly MessageSummary: {
            /** @description The media type of the body; null if there is none. */
            readonly contentType: string | null;
            /** @description Bytes of its body as sent. */
            readonly bytes: components["schemas"]["Count"];
        };
        /** @description A request and its response. */
        readonly Exchange: {
            readonly id: components["schemas"]["RequestId"];
            /** @description When the request arrived. */
            readonly at: components["schemas"]["Time"];
            /** @description Milliseconds until the response was sent. */
            readonly durationMs: number;
            /**
             * @description When the response was sent: stamped just before its first byte, so that the time until the client's next
             *     request is never measured too short. If no response was sent, when the exchange ended.
             */
            readonly respondedAt: components["schemas"]["Time"];
            /** @description When the server noticed that the client had disconnected before its response; null if it stayed. */
            readonly disconnectedAt: components["schemas"]["TimeOrNull"];
            /** @description The operation; null if none matches. */
            readonly operation: string | null;
            readonly method: string;
            /**
             * @description The id in the address that the request was sent to, `/sbx_5mVwQx0c2LhT8Ryd/v1`; null for `/v1`, where only the key
             *     says which sandbox is meant.
             * @example sbx_5mVwQx0c2LhT8Ryd
             */
            readonly address: string | null;
            /** @description Path and query as sent, without the address of a sandbox. */
            readonly target: string;
            /** @description Status of the response; 0 if none was sent. */
            readonly status: number;
            /** @description The request, without its credential. */
            readonly request: {
                /**
                 * @description Its `User-Agent`, `Accept`, `Content-Type`, `Content-Length`, `Prefer`, `Idempotency-Key`, `Traceparent`,
                 *     `X-Request-Id`, `X-Correlation-Id`, `Sandbox-Fault`, `Sandbox-Expect` and `Sandbox-Source`, and the
                 *     headers of `--log-header`, each cut after 200 characters. `Authorization` is reduced to its form,
                 *     `Bearer …`.
                 */
                readonly headers: {
                    readonly [key: string]: string;
                };
                /**
                 * @description The names of its other headers, except for headers that every client sends, and of its cookies, like
                 *     `cookie/session`. Their values aren't kept.
                 */
                readonly otherHeaders?: readonly string[];
                /** @description The media type of the body; null if there is none. */
                readonly contentType: string | null;
                /** @description Bytes of its body as sent. */
                readonly bytes: components["schemas"]["Count"];
                /** @description The body as sent; null if there was none, or it was not read. */
                readonly body: string | null;
                /** @description Whether this is only the beginning of the body. */
                readonly truncated: boolean;
                /** @description Whether the body was rejected without being read. */
                readonly unread: boolean;
            };
            /** @description The response. */
            readonly response: {
                /** @description The headers that the sandbox set; empty if no response was sent. */
                readonly headers: {
                    readonly [key: string]: string;
                };
                /** @description The media type of the body; null if there is none. */
                readonly contentType: string | null;
                /** @description Bytes of its body as sent. */
                readonly bytes: components["schemas"]["Count"];
                /** @description The body as sent. */
                readonly body: string;
                /** @description Whether this is only the beginning of the body. */
                readonly truncated: boolean;
            };
            /** @description How long a fault delayed the response, in milliseconds; 0 without a delay. */
            readonly delayMs: number;
            /** @description The changes made by the request, even if the client was not told; null without changes. */
            readonly changes: {
                /** @description Ids of the pets that it created, as strings with all digits. */
                readonly created: readonly string[];
            } | null;
            /** @description The fault that replaced or changed the response; null without one. */
            readonly injectedFault: components["schemas"]["NewFault"] | null;
            /** @description Why the request never reached an operation: it is not HTTP as RFC 9112 defines it. Otherwise null. */
            readonly malformed: {
                readonly cause: components["schemas"]["MalformedCause"];
                /** @description The error, as text. */
                readonly message: string;
            } | null;
            /** @description Whether the validator has validated it. HEAD requests, and requests without a matching operation, are not validated. */
            readonly validated: boolean;
            /** @description Why the validator failed on it; null if it did not. */
            readonly validationError: string | null;
            readonly violations: readonly components["schemas"]["Violation"][];
            /** @description The `name` in the body of the request, cut after 100 characters; null without one. */
            readonly petName?: string | null;
            /** @description The run of the client that it belongs to; null for a request of the dashboard. */
            readonly run: components["schemas"]["Run"] | null;
            /** @description The count of the account that it is in. */
            readonly kind: components["schemas"]["AccountKind"];
            /**
             * @description Whether a page of this server sent it, with `Sandbox-Source: dashboard`. It doesn't count in the contract
             *     report or for behavior warnings.
             */
            readonly fromDashboard?: boolean;
            readonly warnings: readonly components["schemas"]["Warning"][];
        };
        /** @description A request and its response, with an explanation. */
        readonly RequestDetails: components["schemas"]["Exchange"] & {
            /** @description The result, in sentences, with the client's next attempt. */
            readonly outcome: readonly components["schemas"]["Remark"][];
            /** @description The violations and warnings of the request, each with what was expected, what was sent and what to send instead. */
            readonly findings: readonly components["schemas"]["RequestFinding"][];
            /** @description The whole request with its findings corrected; null if there is nothing to correct, or no suggestion. */
            readonly corrected: components["schemas"]["CorrectedRequest"] | null;
        };
        /** @description A violation or a warning of one request. */
        readonly RequestFinding: {
            /** @enum {string} */
            readonly kind: "violation" | "warning";
            /** @enum {string} */
            readonly side: "request" | "response";
            /** @description Location in the message, like `query/limit`. */
            readonly location: string;
            /** @description The finding in a few words, like `limit is at most 100`. */
            readonly title: string;
            /** @description As worded by the validator. */
            readonly message: string;
            /** @description The values that the rule allows, in words, like `at most 100`. */
            readonly expected: string | null;
            /** @description The part that was sent, like `limit=500`; null where nothing was sent there. */
            readonly sent: string | null;
            /** @description What to send instead, like `limit=100`. */
            readonly instead: string | null;
            /** @description Location in the specification, as a JSON pointer. */
            readonly pointer: string | null;
            /** @description The text of the specification there. */
            readonly specification: {
                readonly rule: string;
                readonly description: string | null;
            } | null;
        };
        /** @description A request to send. */
        readonly CorrectedRequest: {
            readonly method: string;
            /** @description Path and query. */
            readonly target: string;
            readonly contentType: string | null;
            readonly body: string | null;
        };
        /** @description Exchanges from the request log, newest first. */
        readonly Requests: {
            readonly requests: readonly components["schemas"]["ExchangeSummary"][];
            /** @description The number of matching exchanges, which may exceed `limit`. */
            readonly total: components["schemas"]["Count"];
            /** @description The number of exchanges evicted since the request log was last cleared. */
            readonly dropped: components["schemas"]["Count"];
        };
        /**
         * @description How a request broke HTTP, or why it was not served. `not-http`: it does not follow RFC 9112. `too-large`: its headers
         *     are. `too-slow`: it did not arrive in time. `cut-off`: the connection ended before the request was served. `tls`:
         *     HTTPS on a port for HTTP, or HTTP on a port for HTTPS.
         * @enum {string}
         */
        readonly MalformedCause: "not-http" | "too-large" | "too-slow" | "cut-off" | "tls";
        /**
         * @description Why a request belongs to no sandbox. `no-credential`: there was no `Authorization`. `key-in-header`,
         *     `key-in-query`: the key was in another header, or in the query. `not-bearer`: `Authorization` is not of the form
         *     `Bearer <API_KEY>`. `authorization-twice`: there was more than one. `unset-variable`: the key is the name of a
         *     variable, such as `Bearer undefined`. `damaged-key`: the key was mistyped or cut off. `unknown-key`: the key
         *     belongs to no sandbox, or its sandbox was deleted. `outside-base-path`: the path is not under `/v1`, but looks
         *     like one of the API. `unknown-address`: no sandbox has the address that it was sent to. `preflight`: `OPTIONS`
         *     under `/v1`, as browsers send it before the request of a page; nothing is wrong with it. `malformed`: the
         *     request is not HTTP as RFC 9112 defines it, or was rejected before its key was read.
         * @enum {string}
         */
        readonly UnmatchedReason: "no-credential" | "key-in-header" | "key-in-query" | "not-bearer" | "authorization-twice" | "unset-variable" | "damaged-key" | "unknown-key" | "outside-base-path" | "unknown-address" | "preflight" | "malformed";
        /** @description A request that belongs to no sandbox. Path and `User-Agent` are cut after 200 characters. */
        readonly UnmatchedRequest: {
            readonly id: components["schemas"]["RequestId"];
            /** @description When the request arrived. */
            readonly at: components["schemas"]["Time"];
            readonly method: string;
            /** @description The path as sent, without the query. */
            readonly path: string;
            /** @description Status of the response; 0 if the connection ended first. */
            readonly status: components["schemas"]["SentStatus"];
            /** @description The `User-Agent` of the client; null if there is none. */
            readonly userAgent: string | null;
            readonly reason: components["schemas"]["UnmatchedReason"];
            /** @description The reason, as text. */
            readonly message: string;
            /** @description What to send instead. */
            readonly instead: string;
            /** @description Whether it was sent with `Sandbox-Expect` `invalid`, as in a test of a missing key. */
            readonly expectedInvalid: boolean;
        };
        /** @description Requests that belong to no sandbox, newest first. */
        readonly UnmatchedRequests: {
            readonly requests: readonly components["schemas"]["UnmatchedRequest"][];
            /** @description The number of requests evicted since the list was last cleared. */
            readonly dropped: components["schemas"]["Count"];
        };
        /** @description The expected requests and their number. Without a count, at least one is expected. */
        readonly Verification: {
            /**
             * @description Which requests count: all, only the latest run, or only the run with this name.
             * @example last
             */
            readonly run?: string;
            readonly operation?: components["schemas"]["OperationName"];
            /**
             * @description The method, in upper case.
             * @example GET
             */
            readonly method?: string;
            /**
             * @description The path as sent, with or without `/v1`. Parameters after a `?` must have these values; the request may have
             *     others.
             * @example /pets?status=sold
             */
            readonly path?: string;
            /** @description Status of the response. */
            readonly status?: components["schemas"]["HttpStatus"];
            /**
             * @description A partial match of the request's body: objects may have more fields, everything else must be equal. Integers
             *     are compared digit for digit.
             */
            readonly body?: unknown;
            /** @description A partial match of the response's body, like `body`. */
            readonly responseBody?: unknown;
            readonly since?: components["schemas"]["Since"];
            readonly atLeast?: components["schemas"]["Count"];
            readonly atMost?: components["schemas"]["Count"];
            readonly exactly?: components["schemas"]["Count"];
        };
        /** @description The result of a verification. */
        readonly Verified: {
            /** @description The account of the requests that were searched, including dropped ones. */
            readonly account: components["schemas"]["RequestAccount"];
            /**
             * @description Requests that the request log no longer has, and that `since` does not exclude. If one could decide the
             *     result, the response is 409 `verification_incomplete`.
             */
            readonly dropped: components["schemas"]["Count"];
            /** @description The number of matching requests. */
            readonly matched: components["schemas"]["Count"];
            /** @description Their ids, newest first, at most a hundred. */
            readonly requests: readonly components["schemas"]["RequestId"][];
        };
        /** @description An error body, and the requests closest to the expectation. */
        readonly VerificationFailed: {
            /** @description The account of the requests that were searched, including dropped ones. */
            readonly account: components["schemas"]["RequestAccount"];
            /**
             * @description Requests that the request log no longer has, and that `since` does not exclude. If one could decide the
             *     result, the response is 409 `verification_incomplete`.
             */
            readonly dropped: components["schemas"]["Count"];
            /**
             * @description `verification_incomplete`: requests that the log dropped, or has only in part, could decide it.
             * @enum {string}
             */
            readonly code: "verification_failed" | "verification_incomplete";
            readonly message: string;
            /** @enum {integer} */
            readonly status: 409;
            /** @description The number of matching requests. */
            readonly matched: components["schemas"]["Count"];
            /** @description Closest first. If too many matched, the newest matches. */
            readonly closest: readonly {
                readonly request: components["schemas"]["Exchange"];
                /** @description The first differences. */
                readonly differences: readonly components["schemas"]["Difference"][];
                /** @description The number of further differences; absent if there are none. */
                readonly more?: number;
            }[];
        };
        /** @description One difference between a request and the expectation. */
        readonly Difference: {
            /** @description The place of the difference, like `status`, `path?limit` or `body/categoryId`; `wait` is the time before it. */
            readonly location: string;
            readonly expected: string;
            /** @description The actual value; `none` if there is none. */
            readonly actual: string;
        };
        /**
         * @description The contract report: what a client sent, where it broke the specification, and a verdict. Later versions may add
         *     fields, and keep these. `src/base/generated/report.schema.json` is this schema alone.
         */
        readonly Report: {
            /**
             * @description The version of the program that made it. `report --merge` only counts reports of its own version.
             * @example 0.1.0
             */
            readonly program: string;
            /**
             * @description The version of the API's specification, and the beginning of its SHA-256.
             * @example 1.0.0+9f86d081884c
             */
            readonly specification: string;
            /**
             * @description The worst level of the findings: `fail` with an `error`, `incomplete` with an `incomplete`, else `pass`.
             * @enum {string}
             */
            readonly verdict: "pass" | "fail" | "incomplete";
            /** @description Why it is not `pass`, as text; empty for `pass`. */
            readonly reasons: readonly string[];
            /** @description Whether unexpected rejections, warnings and the use of deprecated operations also make it `fail`. */
            readonly strict: boolean;
            /**
             * @description The id of the sandbox; for `petstore-sandbox report --har`, the file; of merged reports, their number, like
             *     `3 reports`.
             * @example sbx_5mVwQx0c2LhT8Ryd
             */
            readonly sandbox: string;
            readonly label: components["schemas"]["LabelOrNull"];
            /** @description The run that it is about; null for all. */
            readonly run: components["schemas"]["Run"] | null;
            /** @description The outcome of the run that it is about, or of the latest one where it is about several; otherwise null. */
            readonly outcome: components["schemas"]["RunOutcome"] | null;
            /** @description The start of counting, by the system clock; usually the last clear of the request log. */
            readonly since: components["schemas"]["Time"];
            readonly createdAt: components["schemas"]["Time"];
            readonly account: components["schemas"]["RequestAccount"];
            readonly counts: components["schemas"]["ReportCounts"];
            readonly coverage: components["schemas"]["ReportCoverage"];
            /** @description Every operation of the API, tried or not, in the order of the specification. */
            readonly operations: readonly components["schemas"]["ReportOperation"][];
            /** @description Everything that was found, by kind in the order of `FindingKind`, and then by operation. */
            readonly findings: readonly components["schemas"]["Finding"][];
            /** @description The last 1,000 requests, in which behavior warnings were looked for. */
            readonly behavior: {
                /** @description Requests that were examined. */
                readonly exchanges: components["schemas"]["Count"];
                /** @description Older requests that were not. */
                readonly dropped: components["schemas"]["Count"];
            };
            readonly merged?: components["schemas"]["MergedReports"];
        };
        /** @description The reports that `report --merge` or `exec` merged. Absent in other reports. */
        readonly MergedReports: {
            readonly reports: readonly {
                /** @description The file of the report, or the label of the sandbox. */
                readonly name: string;
                /** @description As in the report. With `run` and `since`, it tells reports apart. */
                readonly sandbox: string;
                /** @description As in the report. */
                readonly run: components["schemas"]["Run"] | null;
                readonly since: components["schemas"]["Time"];
                readonly createdAt: components["schemas"]["Time"];
                /** @enum {string} */
                readonly verdict: "pass" | "fail" | "incomplete";
            }[];
            /** @description Reports that were given more than once and are counted once, with a sentence for each. */
            readonly duplicates: readonly string[];
        };
        /** @description What to correct in a client. */
        readonly Issues: {
            /**
             * @description As in the contract report.
             * @enum {string}
             */
            readonly verdict: "pass" | "fail" | "incomplete";
            readonly reasons: readonly string[];
            /** @description Each kind of problem once; at the end, what the run fixed. */
            readonly issues: readonly components["schemas"]["Issue"][];
            /** @description Injected faults and lost responses. They don't affect the verdict. */
            readonly notes: readonly components["schemas"]["Issue"][];
        };
        /** @description A finding, and how it differs from the run before. */
        readonly Issue: components["schemas"]["Finding"] & {
            /** @description What kind of problem it is, in a word or two. */
            readonly label: string;
            /**
             * @description Compared with the run before of the same client, as `/runs` counts it; null if there is none, for all requests, and
             *     for what is not the client's mistake.
             * @enum {string|null}
             */
            readonly change: "new" | "still" | "fixed" | null;
        };
        /**
         * @description A count of the account of requests.
         * @enum {string}
         */
        readonly AccountKind: "validated" | "expectedInvalid" | "injected" | "skipped" | "notValidated" | "notRecognized" | "malformed" | "dropped" | "otherAddress";
        /**
         * @description A run of a client: the requests that name it with `Sandbox-Run`, or those of one `User-Agent` with less than five
         *     seconds between them. A name that comes again after a minute of silence begins another run. A run without a name is called after the client, or else after the label of the sandbox,
         *     and numbered since the request log was cleared.
         * @example node, run 3
         */
        readonly Run: string;
        readonly NewRun: {
            /**
             * @description A name for the run.
             * @example nightly 7
             */
            readonly name?: string;
        };
        /** @description The outcome of a run, and how it differs from the run that it is compared with, by default the previous one of the same client. */
        readonly RunOutcome: {
            /** @description Its name; `last` where it was begun and has no request yet. */
            readonly run: components["schemas"]["Run"];
            /** @description When the first of its requests in the log arrived; null if there is none. */
            readonly startedAt: components["schemas"]["Time"] | null;
            /** @description When the last response was sent; null if none of its requests is in the log. */
            readonly endedAt: components["schemas"]["Time"] | null;
            /** @description Requests of the run, including those that have left the log. */
            readonly requests: components["schemas"]["Count"];
            /** @description Requests that broke the specification. */
            readonly failing: components["schemas"]["Count"];
            /**
             * @description As in the report of this run alone.
             * @enum {string}
             */
            readonly verdict: "pass" | "fail" | "incomplete";
            /** @description Why it is not `pass`. */
            readonly reasons: readonly string[];
            /** @description The run that it is compared with; null for the first one of the client. */
            readonly against: components["schemas"]["Run"] | null;
            /** @description Issues of the run before whose place this one sent validly. */
            readonly fixed: components["schemas"]["Count"];
            /** @description Issues that the run before did not have. */
            readonly new: components["schemas"]["Count"];
            /** @description Issues of both. */
            readonly still: components["schemas"]["Count"];
            /** @description Operations that the run before called and this one did not, and places of its issues that this one did not send. */
            readonly notTried: readonly string[];
        };
        /**
         * @description What happened to every request that arrived. Each is in exactly one of the counts, and `total` is their sum. Where
         *     `notValidated`, `malformed`, `dropped` or `notRecognized` is not 0, the verdict is not `pass`.
         */
        readonly RequestAccount: {
            readonly total: components["schemas"]["Count"];
            /** @description Requests that were validated with their responses, whatever was found. */
            readonly validated: components["schemas"]["Count"];
            /** @description Requests marked as expected to be invalid, by `Sandbox-Expect` or `expectedInvalid`. */
            readonly expectedInvalid: components["schemas"]["Count"];
            /** @description Validated requests whose response a fault replaced or changed. */
            readonly injected: components["schemas"]["Count"];
            /** @description Requests that say nothing about the client, such as requests from the dashboard. */
            readonly skipped: components["schemas"]["Count"];
            /** @description Requests that the validator could not check, or that had no usable key. */
            readonly notValidated: components["schemas"]["Count"];
            /** @description Requests that match no operation. */
            readonly notRecognized: components["schemas"]["Count"];
            /** @description Requests that aren't valid HTTP. */
            readonly malformed: components["schemas"]["Count"];
            /** @description Requests that arrived, but that the request log no longer has. */
            readonly dropped: components["schemas"]["Count"];
            /** @description Requests to another address than the API's, as a HAR contains them. */
            readonly otherAddress: components["schemas"]["Count"];
            /** @description Reasons, for counts whose name doesn't say it all. */
            readonly reasons: readonly {
                readonly kind: components["schemas"]["AccountKind"];
                readonly reason: string;
                readonly count: components["schemas"]["Count"];
            }[];
        };
        /** @description How often each kind of finding occurred. A request may have several findings. */
        readonly ReportCounts: {
            /** @description Requests with a key of this sandbox. */
            readonly exchanges: components["schemas"]["Count"];
            readonly violation: components["schemas"]["Count"];
            readonly noOperation: components["schemas"]["Count"];
            readonly malformed: components["schemas"]["Count"];
            readonly rounded: components["schemas"]["Count"];
            readonly droppedFailure: components["schemas"]["Count"];
            readonly notCounted: components["schemas"]["Count"];
            readonly nothingSeen: components["schemas"]["Count"];
            readonly rejected: components["schemas"]["Count"];
            readonly brokenResponse: components["schemas"]["Count"];
            readonly notValidated: components["schemas"]["Count"];
            readonly unmatched: components["schemas"]["Count"];
            readonly untriggeredFault: components["schemas"]["Count"];
            readonly incomplete: components["schemas"]["Count"];
            readonly warning: components["schemas"]["Count"];
            readonly deprecated: components["schemas"]["Count"];
            readonly behavior: components["schemas"]["Count"];
            readonly unsearched: components["schemas"]["Count"];
            readonly expectedInvalid: components["schemas"]["Count"];
            readonly injectedFault: components["schemas"]["Count"];
            readonly untriggeredByChance: components["schemas"]["Count"];
        };
        /**
         * @description Which documented responses were seen. An injected one does not count, and an error response counts only if its
         *     request was marked as intentional, with `Sandbox-Expect: invalid` or `expectedInvalid` in the query.
         */
        readonly ReportCoverage: {
            readonly documented: components["schemas"]["Count"];
            readonly seen: components["schemas"]["Count"];
            readonly untested: readonly {
                readonly operation: components["schemas"]["OperationName"];
                readonly status: components["schemas"]["HttpStatus"];
                /** @description How to provoke it. */
                readonly hint: string;
            }[];
        };
        /** @description One operation of the API, with the responses that were seen. */
        readonly ReportOperation: {
            readonly operation: components["schemas"]["OperationName"];
            readonly method: string;
            /** @description With the base path and the names of its parameters. */
            readonly path: string;
            readonly deprecated: boolean;
            /** @description The documented responses, seen or not. */
            readonly responses: readonly {
                readonly status: components["schemas"]["HttpStatus"];
                /** @description As in the specification. */
                readonly description: string;
                /** @description How often the sandbox sent it. */
                readonly seen: components["schemas"]["Count"];
                /** @description How many of these are rejections that their requests didn't expect. They don't count as seen. */
                readonly unexpected: components["schemas"]["Count"];
                /** @description How often it was injected by a fault. */
                readonly injectedFaults: components["schemas"]["Count"];
            }[];
            /** @description Responses that only `default` describes, and responses that were cut off. */
            readonly otherResponses: readonly {
                readonly status: components["schemas"]["SentStatus"];
                readonly seen: components["schemas"]["Count"];
                readonly injectedFaults: components["schemas"]["Count"];
            }[];
        };
        /** @description Which requests of a client stop working, when, and what to send instead. */
        readonly Preview: {
            /**
             * @description The worst level of the findings: `fail` with an `error`, `incomplete` with an `incomplete`, else `pass`.
             * @enum {string}
             */
            readonly verdict: "pass" | "fail" | "incomplete";
            /** @description Why it is not `pass`, as text; empty for `pass`. */
            readonly reasons: readonly string[];
            /** @description The date of the specification; null for a draft without a date, and if no change is announced. */
            readonly date: string | null;
            /** @description The days until then, by the sandbox's clock; null without a date. */
            readonly daysLeft: number | null;
            /** @description Title and version of the draft; null without one. */
            readonly draft: string | null;
            /** @description Where the requests come from, the id of a sandbox or the name of a file. */
            readonly source: string;
            readonly createdAt: components["schemas"]["Time"];
            readonly account: components["schemas"]["RequestAccount"];
            readonly requests: {
                readonly total: components["schemas"]["Count"];
                /** @description Requests that stop working. */
                readonly failing: components["schemas"]["Count"];
                /** @description Requests that break the specification of today. The contract report lists them. */
                readonly failingAlready: components["schemas"]["Count"];
                /** @description Requests for which this is unknown, because a part of them or their verdict is missing. */
                readonly notExamined: components["schemas"]["Count"];
            };
            /** @description The requests that stop working, oldest first. */
            readonly failing: readonly {
                readonly request: components["schemas"]["RequestId"];
                /** @description Why it stops working. */
                readonly message: string;
                /** @description The request to send instead; null if none can be derived. */
                readonly instead: string | null;
            }[];
            /**
             * @description What stops working, what may, and why more isn't known, by kind in the order of `FindingKind`, and then by operation.
             *     The `instead` of a sample is a whole request, which isn't cut.
             */
            readonly findings: readonly components["schemas"]["Finding"][];
        };
        /**
         * @description `violation`: a request broke the specification.
         *     `noOperation`: no operation matches a request.
         *     `malformed`: a request is not HTTP as RFC 9112 defines it.
         *     `rounded`: an id came back rounded to a double.
         *     `droppedFailure`: a request broke the specification, and is no longer in the request log.
         *     `notCounted`: a failed report could not be merged with the others.
         *     `nothingSeen`: no request or no documented response was seen.
         *     `rejected`: the API rejected a valid request unexpectedly.
         *     `brokenResponse`: a response broke the specification, which is a bug of the server.
         *     `notValidated`: a request could not be validated.
         *     `unmatched`: a request came without a usable key or outside the base path, and the query asked for these (`unmatched`).
         *     `untriggeredFault`: no request triggered a fault rule, so the case that it sets up was not tested.
         *     `incomplete`: requests are missing or were not examined, for the reason in the message.
         *     `warning`: a request is allowed, but probably a mistake.
         *     `deprecated`: a deprecated operation was used.
         *     `behavior`: several requests, each of which may be valid, show a mistake.
         *     `unsearched`: older requests had left the log, so only the others were searched for behavior warnings.
         *     `expectedInvalid`: a request was invalid, as it was expected to be.
         *     `injectedFault`: a fault was injected.
         *     `untriggeredByChance`: no request triggered a fault rule that depends on chance or a limit.
         *     `stopsWorking`: in a preview, requests stop working.
         *     `change`: in a preview, something changes that the requests can't decide, such as a response: check whether the client copes with it.
         *     `harmlessChange`: in a preview, something is deprecated, or changes without an effect on correct clients, such as a new response field.
         *     `unusedChange`: in a preview, an operation changes or is removed, and none of the requests use it.
         *     `note`: something to know that no verdict depends on, for the reason in the message.
         *     `failedCheck`: in a drill, a check of the level `must` failed: the client does harm.
         *     `failedAdvice`: in a drill, a check of the level `should` failed.
         *     `staleFailure`: a drill passes, but is in the list of known failures.
         *     `uncountedCheck`: in a drill, a check failed that does not count: the failure is known, or the client never met what goes wrong.
         * @enum {string}
         */
        readonly FindingKind: "violation" | "noOperation" | "malformed" | "rounded" | "droppedFailure" | "notCounted" | "nothingSeen" | "rejected" | "brokenResponse" | "notValidated" | "unmatched" | "untriggeredFault" | "incomplete" | "warning" | "deprecated" | "behavior" | "unsearched" | "expectedInvalid" | "injectedFault" | "untriggeredByChance" | "stopsWorking" | "change" | "harmlessChange" | "unusedChange" | "note" | "failedCheck" | "failedAdvice" | "staleFailure" | "uncountedCheck";
        /** @description What was found, with the requests that show it. Findings that differ only in their requests are listed as one. */
        readonly Finding: {
            readonly kind: components["schemas"]["FindingKind"];
            /**
             * @description Its effect on the verdict: an `error` fails it, and `incomplete` leaves it incomplete. A `warning` or an
             *     unexpected rejection is an `error` in a strict report. A `note` has no effect.
             * @enum {string}
             */
            readonly level: "error" | "incomplete" | "warning" | "note";
            /** @description A rule of `docs/reference/rules.md`, or one of the specification's keywords, like `request/maximum`. */
            readonly rule: string;
            /** @description The operation; null if there is none, or several. */
            readonly operation: components["schemas"]["OperationName"] | null;
            /** @description Location in the message, like `query/limit`, or method and path where no operation matches. */
            readonly location: string;
            /** @description The rule in a few words. */
            readonly title: string;
            /** @description What is wrong, and what was expected. */
            readonly message: string;
            /**
             * @description What to do, as a sentence: `Send limit=100 instead of limit=500`. It is made of the sample's `action`, `sent`
             *     and `instead`, or is the advice of the rule.
             */
            readonly fix: string;
            /** @description Location in the specification, as a JSON pointer. */
            readonly pointer: string;
            /** @description What was expected, in a drill; absent elsewhere. */
            readonly expected?: string;
            /** @description What happened instead, in a drill; absent elsewhere. */
            readonly got?: string;
            /** @description One of its requests; null where none shows it. */
            readonly sample: components["schemas"]["Sample"] | null;
            readonly count: number;
            /** @description The first requests, in the order of their arrival. */
            readonly requests: readonly components["schemas"]["ReportedRequestId"][];
            /** @description The last request; null if there is none. */
            readonly last: components["schemas"]["ReportedRequestId"] | null;
            /** @description The first and the last request. A reader of the report may have no request log. */
            readonly lines: readonly components["schemas"]["OccurrenceLine"][];
        };
        readonly OccurrenceLine: {
            readonly id: components["schemas"]["ReportedRequestId"];
            /** @description When the request arrived. */
            readonly at: components["schemas"]["Time"];
            /** @description Method and target, like `GET /v1/pets?limit=500`; cut after 200 characters. */
            readonly request: string;
            readonly status: components["schemas"]["SentStatus"];
        };
        /**
         * @description One request of a finding: the first one or, for a behavior warning, the first that should have been different.
         *     Every text is cut after 200 characters.
         */
        readonly Sample: {
            /** @description Method and target, like `GET /v1/pets?limit=500`. */
            readonly request: string;
            /**
             * @description The part that the finding is about, as sent, like `limit=500` or `"categoryId":"1"`; null where nothing was
             *     sent there.
             */
            readonly sent: string | null;
            readonly status: components["schemas"]["SentStatus"];
            /** @description What to send, like `limit=100`; null if none can be derived, and for `remove`. */
            readonly instead: string | null;
            /**
             * @description `replace`: send `instead` instead of `sent`. `add`: send `instead` as well. `remove`: leave `sent` out. `other`:
             *     no part of the request can be named; `fix` of the finding says what to do.
             * @enum {string}
             */
            readonly action: "replace" | "add" | "remove" | "other";
            /** @description What else to do, or what to choose, as a sentence without its period; absent where there is nothing to say. */
            readonly advice?: string;
        };
        /** @description The HTTP status code that was sent; 0 if the connection ended before. */
        readonly SentStatus: components["schemas"]["HttpStatus"] | 0;
        /** @description The label, or null. */
        readonly LabelOrNull: string | null;
        /**
         * Format: date-time
         * @description A time in UTC, by the system clock.
         */
        readonly Time: string;
        /**
         * Format: date-time
         * @description When it ends, by the system clock; null for never.
         */
        readonly TimeOrNull: string | null;
        /** @description Whether a client is ready for production. */
        readonly Readiness: {
            /**
             * @description `fail` if a row failed, `incomplete` if one is unknown.
             * @enum {string}
             */
            readonly verdict: "pass" | "fail" | "incomplete";
            /** @description The verdict in words. */
            readonly title: string;
            /** @description The label of the sandbox. */
            readonly client: string | null;
            readonly createdAt: components["schemas"]["Time"];
            /** @description The version of the sandbox. */
            readonly program: string;
            /** @description Version and digest of the specification. */
            readonly specification: string;
            readonly rows: readonly {
                /** @enum {string} */
                readonly name: "specification" | "responses" | "failures" | "change" | "ids";
                readonly title: string;
                /**
                 * @description `skipped`: it does not apply.
                 * @enum {string}
                 */
                readonly status: "passed" | "failed" | "unknown" | "skipped";
                readonly summary: string;
                /** @description The worst finding. */
                readonly finding: string | null;
                /** @description How to correct it. */
                readonly fix: string | null;
                /** @description The command that shows more. */
                readonly more: string;
            }[];
        };
        /** @description An OpenAPI specification. */
        readonly OpenapiSpecification: {
            readonly openapi: string;
            readonly info: Record<string, never>;
            readonly servers: readonly Record<string, never>[];
            readonly paths: Record<string, never>;
        };
    };
    responses: {
        /** @description The current clock. */
        readonly Clock: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Clock"];
            };
        };
        /** @description The report. */
        readonly Report: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Report"];
                readonly "application/xml": string;
                readonly "text/html": string;
                readonly "text/markdown": string;
                readonly "text/plain": string;
            };
        };
        /** @description The preview. */
        readonly Preview: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Preview"];
                readonly "application/xml": string;
                readonly "text/html": string;
                readonly "text/markdown": string;
                readonly "text/plain": string;
            };
        };
        /** @description The request breaks this specification. The message names every problem and what is allowed. */
        readonly BadRequest: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The key or the admin token is missing or invalid. */
        readonly Unauthorized: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The admin token is required, or a page of another site sent the request. */
        readonly Forbidden: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The key, sandbox, fixture, snapshot or fault does not exist. */
        readonly NotFound: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request conflicts with the current state, or a limit of the sandbox is reached. */
        readonly Conflict: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Any other error. */
        readonly Error: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description The id of the sandbox. Needs the admin token. */
        readonly Sandbox: components["schemas"]["SandboxId"];
        /** @description The requests to report on: all, only the latest run, or only the run with this name. */
        readonly Run: string;
        /** @description The format of the response: for people, programs or CI. */
        readonly ReportFormat: "text" | "json" | "junit" | "html" | "markdown" | "github";
        /** @description Whether unexpected rejections, warnings and the use of deprecated operations also make the verdict `fail`. */
        readonly ReportStrict: boolean;
        /** @description The format of the response: for people, programs or CI. */
        readonly PreviewFormat: "text" | "json" | "junit" | "html" | "markdown" | "github";
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly getSandbox: {
        readonly parameters: {
            readonly query?: {
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The sandbox. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Sandbox"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly deleteSandbox: {
        readonly parameters: {
            readonly query?: {
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The sandbox is deleted. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly callMcp: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description A JSON-RPC message of the protocol. */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["McpMessage"];
            };
        };
        readonly responses: {
            /** @description The response to a request. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["McpMessage"];
                    readonly "text/event-stream": string;
                };
            };
            /** @description A notification was received. */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 403: components["responses"]["Forbidden"];
            /** @description A protocol error, or an error body if the request never reached the MCP server. */
            readonly default: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["McpMessage"] | components["schemas"]["Error"];
                };
            };
        };
    };
    readonly getHealth: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The server is ready. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Health"];
                };
            };
            readonly 403: components["responses"]["Forbidden"];
            /** @description The server is stopping, or cannot write. */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            readonly default: components["responses"]["Error"];
        };
    };
    readonly listKeys: {
        readonly parameters: {
            readonly query?: {
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The keys. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Keys"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly createKey: {
        readonly parameters: {
            readonly query?: {
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description All fields are optional. */
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewKey"];
            };
        };
        readonly responses: {
            /** @description The key, shown only here. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["IssuedKey"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly revokeKey: {
        readonly parameters: {
            readonly query?: {
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path: {
                /** @description The key's `id`, not the key itself. */
                readonly keyId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The key is revoked. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly createSignInCode: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The code and the link, shown only here. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SignInCode"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly signIn: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SignIn"];
            };
        };
        readonly responses: {
            /** @description The key. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SignedIn"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly reset: {
        readonly parameters: {
            readonly query?: {
                /** @description The sandboxes to reset; by default the one of the request. */
                readonly scope?: "all";
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description All fields are optional. */
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["ResetRequest"];
            };
        };
        readonly responses: {
            /** @description The reset is done. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ResetResult"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly lookAtPets: {
        readonly parameters: {
            readonly query?: {
                /** @description Only pets of this status. */
                readonly status?: components["schemas"]["PetStatus"];
                /** @description Only the pet with this id. */
                readonly id?: string;
                /** @description The maximum number of pets to return. */
                readonly limit?: number;
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The pets. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PetsOfSandbox"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly generatePets: {
        readonly parameters: {
            readonly query?: {
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["GenerateRequest"];
            };
        };
        readonly responses: {
            /** @description The added pets by ascending id, as `GET /v1/pets` returns them. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["GeneratedPets"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly listSnapshots: {
        readonly parameters: {
            readonly query?: {
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The snapshots. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Snapshots"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly createSnapshot: {
        readonly parameters: {
            readonly query?: {
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewSnapshot"];
            };
        };
        readonly responses: {
            /** @description The snapshot. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Snapshot"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly deleteSnapshot: {
        readonly parameters: {
            readonly query?: {
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Name of the snapshot. */
                readonly name: components["schemas"]["Name"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The snapshot is deleted. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly fork: {
        readonly parameters: {
            readonly query?: {
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description All fields are optional. */
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewFork"];
            };
        };
        readonly responses: {
            /** @description The key of the new sandbox, which is shown only here. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["IssuedKey"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly exportSandbox: {
        readonly parameters: {
            readonly query?: {
                /** @description The format. `fixture` contains only the pets. */
                readonly format?: "fixture" | "recording" | "har" | "curl";
                /** @description Only this exchange. Only with `har` and `curl`. */
                readonly request?: components["schemas"]["RequestId"];
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The file. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FixtureFile"] | components["schemas"]["Har"];
                    readonly "application/jsonl": components["schemas"]["RecordingText"];
                    readonly "text/x-shellscript": string;
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly importRecording: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description A recording, as `GET /export?format=recording` returned it. */
        readonly requestBody: {
            readonly content: {
                readonly "application/jsonl": components["schemas"]["RecordingText"];
            };
        };
        readonly responses: {
            /** @description The new sandbox and its key, which is shown only here. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["IssuedKey"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 409: components["responses"]["Conflict"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly getClock: {
        readonly parameters: {
            readonly query?: {
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Clock"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly setClock: {
        readonly parameters: {
            readonly query?: {
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewClock"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Clock"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly resetClock: {
        readonly parameters: {
            readonly query?: {
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Clock"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly advanceClock: {
        readonly parameters: {
            readonly query?: {
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Advance"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Clock"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly listFaults: {
        readonly parameters: {
            readonly query?: {
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The rules. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Faults"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly createFault: {
        readonly parameters: {
            readonly query?: {
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewFault"];
            };
        };
        readonly responses: {
            /** @description The rule. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Fault"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly clearFaults: {
        readonly parameters: {
            readonly query?: {
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The rules are deleted. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly deleteFault: {
        readonly parameters: {
            readonly query?: {
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path: {
                /** @description The rule's `id`. */
                readonly faultId: components["schemas"]["FaultId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The rule is deleted. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly listDrills: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The drills, in the order in which they are run. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Drills"];
                };
            };
            readonly 403: components["responses"]["Forbidden"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly getDrill: {
        readonly parameters: {
            readonly query?: {
                /** @description Whether a failed check of the level `should` also makes the verdict `fail`. */
                readonly strict?: boolean;
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The checks with the requests that they refer to. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DrillResult"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly startDrill: {
        readonly parameters: {
            readonly query?: {
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewDrill"];
            };
        };
        readonly responses: {
            /** @description The task for the client. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DrillTask"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly endDrill: {
        readonly parameters: {
            readonly query?: {
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No drill is active. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly getDrillResult: {
        readonly parameters: {
            readonly query?: {
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Id of the drill. */
                readonly drill: components["schemas"]["Name"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result. `GET /drills` has the title, the source and the fix of each check. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["EndedDrill"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly reportDrillOutcome: {
        readonly parameters: {
            readonly query?: {
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["DrillOutcome"];
            };
        };
        readonly responses: {
            /** @description The outcome is recorded. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly getReport: {
        readonly parameters: {
            readonly query?: {
                /** @description The requests to report on: all, only the latest run, or only the run with this name. */
                readonly run?: components["parameters"]["Run"];
                /** @description The format of the response: for people, programs or CI. */
                readonly format?: components["parameters"]["ReportFormat"];
                /** @description Whether unexpected rejections, warnings and the use of deprecated operations also make the verdict `fail`. */
                readonly strict?: components["parameters"]["ReportStrict"];
                /**
                 * @description Whether to end the injected delays of requests that are still being answered, so that the report has them. It waits up
                 *     to two seconds for such requests in any case, and is incomplete if some are left.
                 */
                readonly finish?: boolean;
                /**
                 * @description Rejections that the client provokes on purpose, as a comma-separated list of operation and status. Findings
                 *     in these requests are listed as expected, and do not affect the verdict. A client that can set a header
                 *     sends `Sandbox-Expect: invalid` instead.
                 */
                readonly expectedInvalid?: string;
                /**
                 * @description Whether to list requests that belong to no sandbox: those since the start of the report, if the caller may
                 *     read `/requests/unmatched` and no other sandbox was in use. Listed or not, they leave the report of every
                 *     sandbox incomplete that was used through `/v1`, but not of one that was only used through its own address.
                 */
                readonly unmatched?: boolean;
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Report"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly reportHar: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Base addresses of the API, each ending in /v1, as a comma-separated list: only requests to these are
                 *     reported on. By default, all base addresses in the file.
                 */
                readonly base?: string;
                /** @description Whether unexpected rejections, warnings and the use of deprecated operations also make the verdict `fail`. */
                readonly strict?: components["parameters"]["ReportStrict"];
                /** @description The format of the response: for people, programs or CI. */
                readonly format?: components["parameters"]["ReportFormat"];
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description The HAR. */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly log: {
                        readonly entries: readonly Record<string, never>[];
                    };
                };
                readonly "application/gzip": components["schemas"]["PackedHar"];
                readonly "application/zip": components["schemas"]["PackedHar"];
                readonly "application/octet-stream": components["schemas"]["PackedHar"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Report"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly getReady: {
        readonly parameters: {
            readonly query?: {
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The rows, and the verdict. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Readiness"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly getPreview: {
        readonly parameters: {
            readonly query?: {
                /** @description The requests to report on: all, only the latest run, or only the run with this name. */
                readonly run?: components["parameters"]["Run"];
                /** @description A date. By default, the next one on which the API changes, by the sandbox's clock. */
                readonly at?: string;
                /** @description The format of the response: for people, programs or CI. */
                readonly format?: components["parameters"]["PreviewFormat"];
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Preview"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly previewDraft: {
        readonly parameters: {
            readonly query?: {
                /** @description The requests to report on: all, only the latest run, or only the run with this name. */
                readonly run?: components["parameters"]["Run"];
                /** @description A date. Operations whose `x-sunset` in the draft is this date or earlier count as removed. By default, the time of the sandbox's clock. */
                readonly at?: string;
                /** @description The format of the response: for people, programs or CI. */
                readonly format?: components["parameters"]["PreviewFormat"];
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description The draft. */
        readonly requestBody: {
            readonly content: {
                readonly "application/yaml": string;
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Preview"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly listRuns: {
        readonly parameters: {
            readonly query?: {
                /** @description The name of the run that all others are compared with. */
                readonly against?: components["schemas"]["Run"];
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The runs. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @description The newest first. */
                        readonly runs: readonly components["schemas"]["RunOutcome"][];
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly startRun: {
        readonly parameters: {
            readonly query?: {
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description All fields are optional. */
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewRun"];
            };
        };
        readonly responses: {
            /** @description The next request begins a run. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly listIssues: {
        readonly parameters: {
            readonly query?: {
                /** @description The requests to report on: all, only the latest run, or only the run with this name. */
                readonly run?: components["parameters"]["Run"];
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The issues. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Issues"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly listSandboxes: {
        readonly parameters: {
            readonly query?: {
                /** @description The maximum number of sandboxes; 100 by default. */
                readonly limit?: number;
                /** @description The id after which the page begins. */
                readonly after?: components["schemas"]["SandboxId"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of sandboxes. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Sandboxes"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly getMetrics: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Metrics in the text format of Prometheus. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/plain": string;
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly listFixtures: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The fixtures. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Fixtures"];
                };
            };
            readonly 403: components["responses"]["Forbidden"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly listRequests: {
        readonly parameters: {
            readonly query?: {
                /** @description Only exchanges of this operation. */
                readonly operation?: components["schemas"]["OperationName"];
                /** @description Only exchanges whose response has this status. */
                readonly status?: components["schemas"]["HttpStatus"];
                /** @description Only exchanges of this run of the client. */
                readonly run?: components["schemas"]["Run"];
                /** @description Only exchanges with a violation (`true`), or only exchanges without one (`false`). */
                readonly violations?: boolean;
                /** @description Only exchanges from this time on, or after this request. */
                readonly since?: components["schemas"]["Since"];
                /**
                 * @description Only exchanges that are older than this request. To read the request log in pages, send the id of the last
                 *     exchange of a page to get the next one, until a page has fewer exchanges than `limit`. If the request log
                 *     has dropped that request, the page is empty.
                 */
                readonly before?: components["schemas"]["RequestId"];
                /**
                 * @description Only exchanges whose id, target, status, shown request headers (`X-Request-Id: 7`) or bodies contain this text, in
                 *     upper or lower case. A body is searched as the request log shows it: only its first 16,384 characters are kept, and keys are shown as `[key]`.
                 */
                readonly contains?: string;
                /** @description The maximum number of exchanges; the newest matching ones are listed. */
                readonly limit?: number;
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The exchanges that match. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Requests"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly clearRequests: {
        readonly parameters: {
            readonly query?: {
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The request log is empty. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly verifyRequests: {
        readonly parameters: {
            readonly query?: {
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description Omitted fields match anything. */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Verification"];
            };
        };
        readonly responses: {
            /** @description The number is as expected. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Verified"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            /** @description The number is not as expected. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["VerificationFailed"];
                };
            };
            readonly default: components["responses"]["Error"];
        };
    };
    readonly listUnmatched: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The requests. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["UnmatchedRequests"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly clearUnmatched: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The list is empty. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly getRequest: {
        readonly parameters: {
            readonly query?: {
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: never;
            readonly path: {
                /** @description The `Sandbox-Request-Id` of the response. */
                readonly requestId: components["schemas"]["RequestId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The exchange. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RequestDetails"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly streamEvents: {
        readonly parameters: {
            readonly query?: {
                /** @description The id of the sandbox. Needs the admin token. */
                readonly sandbox?: components["parameters"]["Sandbox"];
            };
            readonly header?: {
                /** @description The `id` of the last event that the client read. */
                readonly "Last-Event-ID"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The events. The validator checks the head of the response, but not the events, because a stream has no end. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/event-stream": string;
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly getOpenapiYaml: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description An OpenAPI 3.1 specification. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/yaml": string;
                };
            };
            readonly 403: components["responses"]["Forbidden"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly getOpenapiJson: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description An OpenAPI 3.1 specification. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OpenapiSpecification"];
                };
            };
            readonly 403: components["responses"]["Forbidden"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly getControlApiJson: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description An OpenAPI 3.1 specification. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OpenapiSpecification"];
                };
            };
            readonly 403: components["responses"]["Forbidden"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly getControlApiYaml: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description An OpenAPI 3.1 specification. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/yaml": string;
                };
            };
            readonly 403: components["responses"]["Forbidden"];
            readonly default: components["responses"]["Error"];
        };
    };
}
