// Generated from spec/controls.yaml by scripts/generate.mjs; change the document instead.
export interface paths {
    readonly "/": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * What this sandbox is and holds
         * @description The address is `/_sandbox`; a slash at its end makes no difference.
         */
        readonly get: operations["getSandbox"];
        readonly put?: never;
        readonly post?: never;
        /**
         * End this sandbox
         * @description Ends the sandbox, with its data, all its keys and every fork that descends from it: all of them or, where the
         *     disk refuses (503), none. The sandbox of a fixed key cannot be ended: 409.
         */
        readonly delete: operations["deleteSandbox"];
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
         * Whether the server is ready
         * @description Answers 200 once the server is seeded and listens, and 503 while it stops or when its data directory was removed or replaced.
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
         * @description The keys that open the sandbox now, the oldest first. A key itself is never shown again.
         */
        readonly get: operations["listKeys"];
        readonly put?: never;
        /**
         * Make a sandbox and the key that opens it
         * @description Makes a new sandbox and its key. The key is shown in this answer and never again: only its hash is kept.
         *
         *     With `shared` it makes a second key to the sandbox that the request acts on, and needs that sandbox's key, or
         *     the admin token and `?sandbox=`. The second key never outlives the first; `fixture` has no effect then.
         *
         *     Where the server was started with `--key-issuing admin`, the admin token is needed.
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
         * @description The key opens nothing from now on. A fixed key cannot be revoked, 409.
         */
        readonly delete: operations["revokeKey"];
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
         * Go back to the fixture, or to a snapshot
         * @description The sandbox goes back to its fixture, or to the one that is named, which is its fixture from then on. The ids
         *     start anew too, the clock follows real time and there are no faults. Or it goes back to a snapshot, with the ids,
         *     clock and faults that it had then. A request sees all of the old or all of the new, and a second reset changes
         *     nothing.
         *
         *     With `scope=all` every sandbox goes back, one after another. That needs the admin token. Where some cannot be
         *     written, the others are reset all the same; the 503 says how many, and the same request again resets the rest.
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
        readonly get?: never;
        readonly put?: never;
        /**
         * Add made-up animals
         * @description Makes animals up from the interface's own `NewPet` and adds them: all or none. The same `seed` makes the same
         *     animals, and fewer are the first of more; their ids go on from the sandbox's next one. Where no `seed` is given
         *     one is drawn, and the answer tells it.
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
         * @description The oldest first.
         */
        readonly get: operations["listSnapshots"];
        readonly put?: never;
        /**
         * Name the present state
         * @description Keeps the animals, the ids, the clock and the faults as they are now, under a name that is not taken: 409. It
         *     takes no longer for a million animals than for one. `POST /reset` with `snapshot` goes back to it. A sandbox
         *     keeps 50 at most, and they end with it.
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
         * Drop a snapshot
         * @description The name is free again. The sandbox itself stays as it is.
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
         * Make a copy of this sandbox, with a key of its own
         * @description The new sandbox starts with the animals, ids, clock and faults that this one has now, and without its snapshots.
         *     From then on neither sees what happens in the other. It never outlives the sandbox that it was forked from. It
         *     takes no longer for a million animals than for one.
         *
         *     A fork may be forked again. Forks of forks go 20 deep at most: 409 `limit_reached`. A sandbox may have any number
         *     of forks beside each other.
         *
         *     Where the server was started with `--key-issuing admin`, the admin token is needed.
         */
        readonly post: operations["fork"];
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
         * What time it is in this sandbox
         * @description Only the interface follows this clock: from 2030-12-05T00:00:00Z on `getPet` is removed and answers 410. Keys,
         *     these controls and the `Date` header follow real time.
         */
        readonly get: operations["getClock"];
        /**
         * Set or freeze the clock
         * @description Sets the clock to `now`, and it goes on from there; with `frozen` it stands still, or goes on again. What is
         *     left out stays as it is. The clock goes from the beginning of 1970 to the end of 9999, UTC; a time whose zone
         *     leads out of it is answered 409.
         */
        readonly put: operations["setClock"];
        readonly post?: never;
        /**
         * Back to real time
         * @description The clock shows real time again, and goes with it.
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
         * Let time pass
         * @description Moves the clock forward by an ISO 8601 duration, counted in UTC by the calendar: a month after 31 January is the
         *     last of February. Hours, minutes or seconds may have a fraction where they come last. A frozen clock stays
         *     frozen. A duration that leads beyond 9999 is answered 409.
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
         * @description In the order in which they are tried.
         */
        readonly get: operations["listFaults"];
        readonly put?: never;
        /**
         * Let requests fail
         * @description Adds a rule after those there are. For each request of the interface the first rule that matches acts, and is
         *     spent by it; a rule whose `times` are spent, or whose `probability` was not drawn this time, lets the next one
         *     have its turn. A sandbox has 100 rules at most.
         *
         *     A rule has an effect on the answer (`status`, which replaces it with an Error body of the code `injected_fault`),
         *     on the connection (`connection`), on the time (`delayMs`), or on several of them. With `when: before`, the
         *     default, an operation whose answer is replaced does not happen. With `when: after` it happens, and its answer is
         *     lost or replaced, whatever it was.
         *
         *     One request may ask for a fault by itself, with the header `Sandbox-Fault: status=503; retryAfter=2; delay=200;
         *     connection=truncate; when=after` (any of the parts) or `Prefer: code=503`. A header beats the rules and spends none.
         *
         *     Browsers and some clients repeat a GET by themselves when the connection is cut, and so spend `times: 1` unseen.
         */
        readonly post: operations["createFault"];
        /**
         * Delete all fault rules
         * @description From now on nothing fails by a rule.
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
         * @description The other rules stay as they are.
         */
        readonly delete: operations["deleteFault"];
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
         * The contract report
         * @description What the client of this sandbox tried since its journal was last cleared, what of it broke the document, and a
         *     verdict: `fail` when a request broke the document or a large integer came back rounded, `incomplete` when
         *     something could not be counted or judged, or when no request was seen, else `pass`. It counts on when the
         *     journal drops its oldest exchanges.
         */
        readonly get: operations["getReport"];
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
         * @description In the order of their ids, page by page: `next` is the `after` of the next page. Every sandbox can be acted on with
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
         * What the server counts, for Prometheus
         * @description Requests by operation and status, durations, violations, injected faults, sandboxes, keys, writes of the store, the
         *     referee's counts, and the process. Everything is counted since the start.
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
         * @description The sets of seed data that a sandbox can start from, by name.
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
         * What this sandbox was asked and answered
         * @description The journal: the last 1,000 exchanges of the interface, the newest first, without their bodies. A request is
         *     in it as soon as its answer is. It begins anew when the server does.
         *
         *     Requests with an expired or revoked key are in the journal of the sandbox that the key opened; those without
         *     a key, or with an unknown one, belong to no sandbox and are in none. All journals together hold 32 MiB at most, less where memory is short;
         *     beyond that the biggest lose their oldest exchanges. `Authorization` is never recorded, and keys that stand
         *     anywhere else show as `[key]`.
         */
        readonly get: operations["listRequests"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Clear the journal
         * @description Forgets the exchanges so far, and what the contract report counted of them.
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
         * Check that the client sent what it should have
         * @description Counts the exchanges in the journal that are as described, and answers 200 when there are as many as expected,
         *     by default at least one. Otherwise it answers 409, so that `curl --fail` is an assertion, and tells how the
         *     nearest requests differ. Where there were too many, those that matched are shown instead.
         */
        readonly post: operations["verifyRequests"];
        readonly delete?: never;
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
         * One exchange, with its bodies
         * @description Of a body, the first 16,384 characters are kept. It is shown as the text that was sent, so that no digit of an
         *     int64 is lost.
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
         * What happens in this sandbox, as it happens
         * @description Server-sent events, until the client or the server leaves, the key ends, or the sandbox does. A program reads
         *     them with `fetch`, as the key has to go into `Authorization`. Every 15 seconds a comment shows that the stream
         *     is alive.
         *
         *     - `exchange`: an exchange of the interface, once it is judged; its data is an `ExchangeSummary`, its `id` that
         *       of the request. They come in the order of the journal.
         *     - `reset`: the sandbox went back; `{"at", "to": {"fixture"}}`.
         *     - `cleared`: the journal was cleared; `{"at"}`.
         *     - `key`: a key was shared or revoked; `{"at", "action", "id"}`.
         *
         *     A client that comes back with `Last-Event-ID` gets the exchanges that it missed, as far as the journal has them;
         *     without it, or with an id that the journal does not hold, respectively from now on or all that is kept. A
         *     client that reads too slowly is cut off. A sandbox has 8 streams at most, the server 256.
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
         * The description of the interface, in YAML
         * @description The OpenAPI document of the petstore interface, with this server's address.
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
         * The description of the interface, in JSON
         * @description The OpenAPI document of the petstore interface, with this server's address.
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
    readonly "/controls.yaml": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The description of the controls, in YAML
         * @description This document, with this server's address.
         */
        readonly get: operations["getControlsYaml"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/docs": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The reference, for people
         * @description A page that renders both documents and tries their operations out against this sandbox. The dashboard, a page at
         *     the root of this server, `/`, leads here.
         */
        readonly get: operations["getReference"];
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
        /** @description Body of every error answer, as in the interface. */
        readonly Error: {
            readonly code: components["schemas"]["ErrorCode"];
            /** @description What was wrong, where, and what to send instead. */
            readonly message: string;
            /** @description The HTTP status code. */
            readonly status: number;
        };
        /**
         * @description Every code that this sandbox answers with, in the interface and here.
         * @enum {string}
         */
        readonly ErrorCode: "invalid_request" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "request_timeout" | "conflict" | "limit_reached" | "verification_failed" | "operation_removed" | "payload_too_large" | "unsupported_media_type" | "expectation_failed" | "headers_too_large" | "internal_error" | "not_described" | "not_implemented" | "storage_failed" | "stopping" | "injected_fault";
        /** @description Name of a fixture or a snapshot. */
        readonly Name: string;
        /** @description Words of your own, to tell one from another. No control characters. */
        readonly Label: string;
        /** @description Names a key; it opens nothing. */
        readonly KeyId: string;
        /** @description Names a sandbox. */
        readonly SandboxId: string;
        readonly Count: number;
        /** @description That the server is ready, and how the referee fares. */
        readonly Health: {
            /** @enum {string} */
            readonly status: "ok";
            /** @description Version of the sandbox. */
            readonly version: string;
            /**
             * @description Where the sandboxes are kept.
             * @enum {string}
             */
            readonly store: "memory" | "json-files";
            /** @description Seconds since the start. */
            readonly uptimeSeconds: number;
            /** @description Counts since the start. Each of the last three should be zero, and is a bug of the sandbox if it is not. */
            readonly judge: {
                /** @description Exchanges that the referee has judged. */
                readonly judged: components["schemas"]["Count"];
                /** @description Exchanges that the referee failed on. */
                readonly unjudged: components["schemas"]["Count"];
                /** @description Requests on which the service and the referee disagree. */
                readonly disagreements: components["schemas"]["Count"];
                /** @description Answers of the sandbox that break its documents. */
                readonly brokenAnswers: components["schemas"]["Count"];
            };
        };
        /** @description What the new key and its sandbox shall be. */
        readonly NewKey: {
            readonly label?: components["schemas"]["Label"];
            /** @description The fixture that the new sandbox starts from; the server's own default where it is left out. */
            readonly fixture?: components["schemas"]["Name"];
            /** @description How long the key opens its sandbox; the server's own default where it is left out. */
            readonly ttlSeconds?: number;
            /** @description A second key to the same sandbox in place of a new sandbox. */
            readonly shared?: boolean;
        };
        /** @description A key as it is listed, without the key itself. */
        readonly Key: {
            readonly id: components["schemas"]["KeyId"];
            readonly sandbox: components["schemas"]["SandboxId"];
            readonly label: components["schemas"]["LabelOrNull"];
            /** @description The fixture of the sandbox. */
            readonly fixture: components["schemas"]["Name"];
            readonly createdAt: components["schemas"]["Time"];
            readonly expiresAt: components["schemas"]["TimeOrNull"];
            /**
             * Format: uri
             * @description Base address of the interface on this server.
             */
            readonly baseUrl: string;
        };
        /** @description A key on the day it is made. */
        readonly IssuedKey: {
            readonly id: components["schemas"]["KeyId"];
            /** @description The key itself. Keep it; it is not shown again. */
            readonly key: string;
            readonly sandbox: components["schemas"]["SandboxId"];
            readonly label: components["schemas"]["LabelOrNull"];
            /** @description The fixture of the sandbox. */
            readonly fixture: components["schemas"]["Name"];
            readonly createdAt: components["schemas"]["Time"];
            readonly expiresAt: components["schemas"]["TimeOrNull"];
            /**
             * Format: uri
             * @description Base address of the interface on this server.
             */
            readonly baseUrl: string;
        };
        /** @description The keys to one sandbox. */
        readonly Keys: {
            readonly keys: readonly components["schemas"]["Key"][];
        };
        /** @description What a sandbox is and holds. */
        readonly Sandbox: {
            readonly id: components["schemas"]["SandboxId"];
            readonly label: components["schemas"]["LabelOrNull"];
            /** @description What a reset goes back to. */
            readonly fixture: components["schemas"]["Name"];
            readonly createdAt: components["schemas"]["Time"];
            readonly expiresAt: components["schemas"]["TimeOrNull"];
            /** @description Whether its key comes from the settings of the server. Such a sandbox never expires. */
            readonly fixed: boolean;
            /** @description How many animals it holds. */
            readonly pets: {
                /** @description Those of its fixture. */
                readonly fixture: components["schemas"]["Count"];
                /** @description Those added since the last reset. */
                readonly added: components["schemas"]["Count"];
                /** @description Both together. */
                readonly total: components["schemas"]["Count"];
            };
            /**
             * Format: int64
             * @description The id that the next animal gets; null when no int64 is left.
             */
            readonly nextId: bigint | null;
            /** @description How many keys it has. */
            readonly keys: {
                /** @description Those that open it now. */
                readonly active: components["schemas"]["Count"];
            };
            /** @description When a request last acted on it. */
            readonly lastUsedAt: components["schemas"]["Time"];
        };
        /** @description What to go back to. */
        readonly ResetRequest: {
            /** @description The fixture to go over to; the sandbox's own where it is left out. */
            readonly fixture?: components["schemas"]["Name"];
            /** @description The snapshot to go back to, in place of a fixture. Its clock and faults come back too. Not with `scope=all`. */
            readonly snapshot?: components["schemas"]["Name"];
            /** @description Whether the journal is cleared too. */
            readonly journal?: boolean;
        };
        /** @description What went back. */
        readonly ResetResult: {
            /** @description How many sandboxes went back. */
            readonly sandboxes: components["schemas"]["Count"];
            /** @description The sandbox as it is now; absent with `scope=all`. */
            readonly sandbox?: components["schemas"]["Sandbox"];
        };
        /** @description An animal as returned. */
        readonly Pet: {
            /**
             * Format: int64
             * @description Unique identifier, assigned by the service on creation.
             */
            readonly id: bigint;
            /** @description The animal's name. */
            readonly name: string;
            /**
             * Format: int64
             * @description Identifier of the category the animal belongs to.
             */
            readonly categoryId: bigint;
            /** @description Availability status; absent when none was given. */
            readonly status?: components["schemas"]["PetStatus"];
        };
        /**
         * @description Availability status of an animal. Transitions between the values are not shown.
         * @enum {string}
         */
        readonly PetStatus: "available" | "pending" | "sold";
        /** @description What to make. */
        readonly GenerateRequest: {
            /** @description How many animals. */
            readonly count: number;
            /** @description The same seed makes the same animals. Drawn and told where it is left out. */
            readonly seed?: number;
            /** @description The status of them all; any or none where it is left out. */
            readonly status?: components["schemas"]["PetStatus"];
        };
        /** @description What was made and added. */
        readonly GeneratedPets: {
            /** @description How many animals. */
            readonly count: number;
            /** @description Makes the same animals again. */
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
        /** @description How the present state shall be called. */
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
            /** @description The fixture that this state began with. */
            readonly fixture: components["schemas"]["Name"];
            /** @description How many animals it holds, the fixture's included. */
            readonly pets: components["schemas"]["Count"];
        };
        /** @description What the new key and its sandbox shall be. */
        readonly NewFork: {
            readonly label?: components["schemas"]["Label"];
            /** @description How long the key opens its sandbox; the server's own default where it is left out, and never longer than the sandbox that it is forked from. */
            readonly ttlSeconds?: number;
        };
        /** @description What time it is in a sandbox. */
        readonly Clock: {
            /**
             * Format: date-time
             * @description The sandbox's time, in UTC.
             */
            readonly now: string;
            /** @description Whether it stands still. */
            readonly frozen: boolean;
        };
        /** @description What the clock shall be. */
        readonly NewClock: {
            /**
             * Format: date-time
             * @description An RFC 3339 time with a zone, from 1970 to 9999.
             */
            readonly now?: string;
            /** @description Whether it shall stand still. */
            readonly frozen?: boolean;
        };
        /** @description How much time shall pass. */
        readonly Advance: {
            /**
             * @description An ISO 8601 duration without a sign.
             * @example P30D
             * @example P1M
             * @example PT1H30M
             */
            readonly by: string;
        };
        /** @description The fault rules of one sandbox. */
        readonly Faults: {
            readonly faults: readonly components["schemas"]["Fault"][];
        };
        /** @description Names a fault rule. */
        readonly FaultId: string;
        /** @description What shall go wrong, and for which requests. */
        readonly NewFault: {
            /** @description The operation that it concerns; every one where it is left out. */
            readonly operation?: components["schemas"]["OperationName"];
            /**
             * @description Whether the fault stands before the operation, which then does not happen, or after it. Where it is left out:
             *     `after` for a `truncate` without a status, else `before`.
             * @enum {string}
             */
            readonly when?: "before" | "after";
            /** @description The answer is an Error body with this status. */
            readonly status?: number;
            /** @description Seconds in the header `Retry-After` of that answer. */
            readonly retryAfter?: number;
            /** @description How many milliseconds the answer waits. */
            readonly delayMs?: number;
            /**
             * @description `reset`: a TCP reset in place of an answer. `empty`: the connection ends without a byte. `truncate`: the head
             *     comes with the length of the whole answer, then half of its body, then the end. Before the operation, and
             *     without a status, the half is that of a 503.
             * @enum {string}
             */
            readonly connection?: "reset" | "empty" | "truncate";
            /** @description How often it acts; always where it is left out. */
            readonly times?: number;
            /** @description How likely it acts on a request. */
            readonly probability?: number;
            /** @description Makes the same sequence each time. Drawn and told where there is a probability and no seed. */
            readonly seed?: number;
        };
        /** @description A fault rule. */
        readonly Fault: {
            readonly id: components["schemas"]["FaultId"];
            /** @description The operation that it concerns; every one where it is left out. */
            readonly operation?: components["schemas"]["OperationName"];
            /**
             * @description Whether the fault stands before the operation, which then does not happen, or after it. Where it is left out:
             *     `after` for a `truncate` without a status, else `before`.
             * @enum {string}
             */
            readonly when: "before" | "after";
            /** @description The answer is an Error body with this status. */
            readonly status?: number;
            /** @description Seconds in the header `Retry-After` of that answer. */
            readonly retryAfter?: number;
            /** @description How many milliseconds the answer waits. */
            readonly delayMs?: number;
            /**
             * @description `reset`: a TCP reset in place of an answer. `empty`: the connection ends without a byte. `truncate`: the head
             *     comes with the length of the whole answer, then half of its body, then the end. Before the operation, and
             *     without a status, the half is that of a 503.
             * @enum {string}
             */
            readonly connection?: "reset" | "empty" | "truncate";
            /** @description How often it acts; always where it is left out. */
            readonly times?: number;
            /** @description How likely it acts on a request. */
            readonly probability?: number;
            /** @description Makes the same sequence each time. Drawn and told where there is a probability and no seed. */
            readonly seed?: number;
            /** @description How often it has acted. */
            readonly acted: components["schemas"]["Count"];
        };
        /** @description A page of sandboxes. */
        readonly Sandboxes: {
            readonly sandboxes: readonly components["schemas"]["Sandbox"][];
            /** @description How many there are in all. */
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
            /** @description What it is good for. */
            readonly description: string;
            /** @description How many animals it holds. */
            readonly pets: components["schemas"]["Count"];
        };
        /** @description Names a request; the value of `Sandbox-Request-Id`. */
        readonly RequestId: string;
        /**
         * @description An operation of the interface.
         * @enum {string}
         */
        readonly OperationName: "listPets" | "createPet" | "getPet";
        /** @description An HTTP status code. */
        readonly HttpStatus: number;
        /** @description A time in RFC 3339 with a zone, or the id of a request that is in the journal. */
        readonly Since: components["schemas"]["RequestId"] | string;
        /** @description A breach of the document, in the referee's words. */
        readonly Violation: {
            /**
             * @description Whether the request breaks it or the answer.
             * @enum {string}
             */
            readonly side: "request" | "answer";
            /** @description Where in the message, like `query/limit` or `body/categoryId`. */
            readonly place: string;
            /** @description Where in the document, as a JSON pointer. */
            readonly pointer: string;
            /** @description The rule that is broken, like `maximum` or `required`. */
            readonly rule: string;
            readonly message: string;
        };
        /** @description What the document allows, but is probably a mistake. */
        readonly Warning: {
            /** @description Where in the message; `operation` for the use of a deprecated one. */
            readonly place: string;
            /** @enum {string} */
            readonly rule: "unknown-field" | "unknown-parameter" | "deprecated" | "refused-beyond-document";
            readonly message: string;
        };
        /** @description A request and its answer, without their bodies. */
        readonly ExchangeSummary: {
            readonly id: components["schemas"]["RequestId"];
            /** @description When the request came. */
            readonly at: components["schemas"]["Time"];
            /** @description Milliseconds until the answer was handed over. */
            readonly durationMs: number;
            /** @description The operation; null where none of the document matches. */
            readonly operation: string | null;
            readonly method: string;
            /** @description Path and query as sent. */
            readonly target: string;
            /** @description Status of the answer; 0 where none went out. */
            readonly status: number;
            readonly request: components["schemas"]["MessageSummary"];
            readonly answer: components["schemas"]["MessageSummary"];
            /** @description The fault that stood in for the answer, in words; null without one. */
            readonly injected: string | null;
            /** @description Whether the referee has judged it. Nothing is judged where no operation matches, and no HEAD. */
            readonly refereed: boolean;
            /** @description Why the referee failed on it; null where it did not. */
            readonly unjudged: string | null;
            readonly violations: readonly components["schemas"]["Violation"][];
            readonly warnings: readonly components["schemas"]["Warning"][];
        };
        /** @description What is told of a message without its body. */
        readonly MessageSummary: {
            /** @description The media type that it came with; null without one. */
            readonly contentType: string | null;
            /** @description Bytes of its body, as they were sent. */
            readonly bytes: components["schemas"]["Count"];
        };
        /** @description A request and its answer. */
        readonly Exchange: {
            readonly id: components["schemas"]["RequestId"];
            /** @description When the request came. */
            readonly at: components["schemas"]["Time"];
            /** @description Milliseconds until the answer was handed over. */
            readonly durationMs: number;
            /** @description The operation; null where none of the document matches. */
            readonly operation: string | null;
            readonly method: string;
            /** @description Path and query as sent. */
            readonly target: string;
            /** @description Status of the answer; 0 where none went out. */
            readonly status: number;
            /** @description The request, without its credential. */
            readonly request: {
                /** @description The media type that it came with; null without one. */
                readonly contentType: string | null;
                /** @description Bytes of its body, as they were sent. */
                readonly bytes: components["schemas"]["Count"];
                /** @description The body as it was sent; null where there was none, or none was read. */
                readonly body: string | null;
                /** @description Whether this is only the beginning of the body. */
                readonly cut: boolean;
                /** @description Whether the body was refused without being read. */
                readonly unread: boolean;
            };
            /** @description The answer. */
            readonly answer: {
                /** @description The media type that it came with; null without one. */
                readonly contentType: string | null;
                /** @description Bytes of its body, as they were sent. */
                readonly bytes: components["schemas"]["Count"];
                /** @description The body as it was sent. */
                readonly body: string;
                /** @description Whether this is only the beginning of the body. */
                readonly cut: boolean;
            };
            /** @description The fault that stood in for the answer, in words; null without one. */
            readonly injected: string | null;
            /** @description Whether the referee has judged it. Nothing is judged where no operation matches, and no HEAD. */
            readonly refereed: boolean;
            /** @description Why the referee failed on it; null where it did not. */
            readonly unjudged: string | null;
            readonly violations: readonly components["schemas"]["Violation"][];
            readonly warnings: readonly components["schemas"]["Warning"][];
        };
        /** @description Exchanges from the journal, the newest first. */
        readonly Requests: {
            readonly requests: readonly components["schemas"]["ExchangeSummary"][];
            /** @description How many match; more than are listed where `limit` is lower. */
            readonly total: components["schemas"]["Count"];
            /** @description How many the journal had to drop since it was last cleared. */
            readonly dropped: components["schemas"]["Count"];
        };
        /** @description What requests are looked for, and how many there have to be. Without a count, one is enough. */
        readonly Verification: {
            readonly operation?: components["schemas"]["OperationName"];
            /** @description The method, in capitals. */
            readonly method?: string;
            /**
             * @description The path as sent, with or without `/v1`. After a `?`, the parameters that the request has to have among
             *     others, with these values.
             */
            readonly path?: string;
            /** @description What the request was answered with. */
            readonly status?: components["schemas"]["HttpStatus"];
            /**
             * @description What the request's body holds: an object's members among others, everything else as it is. Integers are
             *     compared by all their digits.
             */
            readonly body?: unknown;
            readonly since?: components["schemas"]["Since"];
            readonly atLeast?: components["schemas"]["Count"];
            readonly atMost?: components["schemas"]["Count"];
            readonly exactly?: components["schemas"]["Count"];
        };
        /** @description What was found. */
        readonly Verified: {
            /** @description How many requests are as described. */
            readonly matched: components["schemas"]["Count"];
            /** @description Their ids, the newest first, at most a hundred. */
            readonly requests: readonly components["schemas"]["RequestId"][];
        };
        /** @description An error body, and the requests that come nearest to what was expected. */
        readonly VerificationFailed: {
            /** @enum {string} */
            readonly code: "verification_failed";
            readonly message: string;
            /** @enum {integer} */
            readonly status: 409;
            /** @description How many requests are as described. */
            readonly matched: components["schemas"]["Count"];
            /** @description The nearest first; where too many came, the newest of those. */
            readonly nearest: readonly {
                readonly request: components["schemas"]["Exchange"];
                /** @description The first of them. */
                readonly differences: readonly components["schemas"]["Difference"][];
                /** @description How many differences there are beyond these; absent where there are none. */
                readonly more?: number;
            }[];
        };
        /** @description One point in which a request is not as expected. */
        readonly Difference: {
            /** @description Where, like `status`, `path?limit` or `body/categoryId`. */
            readonly place: string;
            readonly expected: string;
            /** @description What there is instead; `none` where there is nothing. */
            readonly actual: string;
        };
        /**
         * @description The contract report: what a client tried, what of it broke the document, and a verdict. Members may be added;
         *     those that are here stay. `spec/report.schema.json` is this schema alone.
         */
        readonly Report: {
            /**
             * @description `fail` where the client broke the contract. `incomplete` where it did not, as far as was seen, and there are
             *     gaps. Else `pass`.
             * @enum {string}
             */
            readonly verdict: "pass" | "fail" | "incomplete";
            /** @description Why it is no `pass`, in words; empty for a `pass`. */
            readonly reasons: readonly string[];
            /** @description Those of the reasons for which the report is not the whole truth; one of them makes it `incomplete`. */
            readonly gaps: readonly string[];
            /** @description Whether warnings and the use of deprecated operations make it `fail`, too. */
            readonly strict: boolean;
            readonly sandbox: components["schemas"]["SandboxId"];
            readonly label: components["schemas"]["LabelOrNull"];
            /** @description Since when is counted, by the real clock; the last clear of the journal, as a rule. */
            readonly since: components["schemas"]["Time"];
            readonly createdAt: components["schemas"]["Time"];
            readonly totals: components["schemas"]["ReportTotals"];
            readonly coverage: components["schemas"]["ReportCoverage"];
            /** @description Every operation of the interface, tried or not, in the order of the document. */
            readonly operations: readonly components["schemas"]["ReportOperation"][];
            /** @description Answers where no operation of the document matches, by status. */
            readonly unmatched: readonly {
                readonly status: components["schemas"]["SentStatus"];
                readonly count: components["schemas"]["Count"];
            }[];
        };
        /** @description What was found, all operations together. A request may hold several findings. */
        readonly ReportTotals: {
            /** @description Requests with a key of this sandbox. */
            readonly exchanges: components["schemas"]["Count"];
            /** @description Where a request broke the document. */
            readonly violations: components["schemas"]["Count"];
            /** @description Where an answer of the sandbox broke it, which is a bug of the sandbox. */
            readonly brokenAnswers: components["schemas"]["Count"];
            /** @description Without the use of deprecated operations. */
            readonly warnings: components["schemas"]["Count"];
            readonly deprecatedUses: components["schemas"]["Count"];
            /** @description Large integers that came back as a double makes them. */
            readonly rounded: components["schemas"]["Count"];
            /** @description Answers that a fault stood in for. */
            readonly injected: components["schemas"]["Count"];
            /** @description Exchanges on which the referee failed. */
            readonly unjudged: components["schemas"]["Count"];
        };
        /** @description Which documented answers were seen; an injected one does not count. */
        readonly ReportCoverage: {
            readonly documented: components["schemas"]["Count"];
            readonly seen: components["schemas"]["Count"];
            readonly neverSeen: readonly {
                readonly operation: components["schemas"]["OperationName"];
                readonly status: components["schemas"]["HttpStatus"];
                /** @description How to get to see it. */
                readonly hint: string;
            }[];
        };
        /** @description One operation of the interface, and what became of it. */
        readonly ReportOperation: {
            readonly operation: components["schemas"]["OperationName"];
            readonly method: string;
            /** @description With the base path and the names of its parameters. */
            readonly path: string;
            readonly deprecated: boolean;
            /** @description The documented answers, seen or not. */
            readonly answers: readonly {
                readonly status: components["schemas"]["HttpStatus"];
                /** @description As in the document. */
                readonly description: string;
                /** @description How often the sandbox gave it. */
                readonly seen: components["schemas"]["Count"];
                /** @description How often a fault stood in for it. */
                readonly injected: components["schemas"]["Count"];
            }[];
            /** @description Answers that only `default` describes, and those that were cut off. */
            readonly otherAnswers: readonly {
                readonly status: components["schemas"]["SentStatus"];
                readonly seen: components["schemas"]["Count"];
                readonly injected: components["schemas"]["Count"];
            }[];
            /** @description Exchanges that are not refereed, which are those of `HEAD`. */
            readonly notRefereed: components["schemas"]["Count"];
            /** @description Where the client's requests broke the document. */
            readonly violations: readonly (components["schemas"]["Violation"] & components["schemas"]["Occurrences"])[];
            /** @description Where the sandbox's own answers broke it. */
            readonly brokenAnswers: readonly (components["schemas"]["Violation"] & components["schemas"]["Occurrences"])[];
            readonly warnings: readonly (components["schemas"]["Warning"] & components["schemas"]["Occurrences"])[];
            readonly rounded: readonly (components["schemas"]["RoundedNumber"] & components["schemas"]["Occurrences"])[];
            readonly injected: readonly ({
                /** @description The fault in words, like `status=503; when=after`. */
                readonly fault: string;
            } & components["schemas"]["Occurrences"])[];
            readonly unjudged: readonly ({
                /** @description Why the referee failed. */
                readonly reason: string;
            } & components["schemas"]["Occurrences"])[];
        };
        /** @description A large integer that came back other than it was handed out; the client reads int64 into a double. */
        readonly RoundedNumber: {
            /** @enum {string} */
            readonly place: "path/petId" | "body/categoryId";
            /** @description As the client sent it. */
            readonly sent: string;
            /** @description As the sandbox had answered it. */
            readonly handedOut: string;
        };
        /** @description How often something was found, and in which requests. */
        readonly Occurrences: {
            readonly count: number;
            /** @description The first ones. */
            readonly requests: readonly components["schemas"]["RequestId"][];
            readonly last: components["schemas"]["RequestId"];
        };
        /** @description The HTTP status code that was sent; 0 where the connection ended before any was. */
        readonly SentStatus: components["schemas"]["HttpStatus"] | 0;
        /** @description The label that it was given, or null. */
        readonly LabelOrNull: string | null;
        /**
         * Format: date-time
         * @description A time in UTC, by the real clock.
         */
        readonly Time: string;
        /**
         * Format: date-time
         * @description When it ends, by the real clock; null where it never does.
         */
        readonly TimeOrNull: string | null;
        /** @description An OpenAPI document. */
        readonly OpenapiDocument: {
            readonly openapi: string;
            readonly info: Record<string, never>;
            readonly servers: readonly Record<string, never>[];
            readonly paths: Record<string, never>;
        };
    };
    responses: {
        /** @description The request breaks this document. The message names every problem and what is allowed. */
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
        /** @description The admin token is needed, or a foreign web page sent the request. */
        readonly Forbidden: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no such key, sandbox, fixture, snapshot or fault. */
        readonly NotFound: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description What is asked for cannot be done now, or a limit of the sandbox is reached. */
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
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly getSandbox: {
        readonly parameters: {
            readonly query?: {
                /** @description The sandbox to act on. Needs the admin token. */
                readonly sandbox?: string;
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
                /** @description The sandbox to act on. Needs the admin token. */
                readonly sandbox?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The sandbox is gone. */
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
                /** @description The sandbox to act on. Needs the admin token. */
                readonly sandbox?: string;
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
                /** @description The sandbox to act on. Needs the admin token. */
                readonly sandbox?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description All of it may be left out. */
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewKey"];
            };
        };
        readonly responses: {
            /** @description The key, for the only time. */
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
                /** @description The sandbox to act on. Needs the admin token. */
                readonly sandbox?: string;
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
    readonly reset: {
        readonly parameters: {
            readonly query?: {
                /** @description Which sandboxes go back; the one that the request acts on where this is left out. */
                readonly scope?: "all";
                /** @description The sandbox to act on. Needs the admin token. */
                readonly sandbox?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description All of it may be left out. */
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
    readonly generatePets: {
        readonly parameters: {
            readonly query?: {
                /** @description The sandbox to act on. Needs the admin token. */
                readonly sandbox?: string;
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
            /** @description The animals that were added, in ascending id, as `GET /v1/pets` shows them. */
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
                /** @description The sandbox to act on. Needs the admin token. */
                readonly sandbox?: string;
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
                /** @description The sandbox to act on. Needs the admin token. */
                readonly sandbox?: string;
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
                /** @description The sandbox to act on. Needs the admin token. */
                readonly sandbox?: string;
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
            /** @description The snapshot is gone. */
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
                /** @description The sandbox to act on. Needs the admin token. */
                readonly sandbox?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description All of it may be left out. */
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewFork"];
            };
        };
        readonly responses: {
            /** @description The key of the new sandbox, for the only time. */
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
    readonly getClock: {
        readonly parameters: {
            readonly query?: {
                /** @description The sandbox to act on. Needs the admin token. */
                readonly sandbox?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The clock as it is now. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Clock"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly setClock: {
        readonly parameters: {
            readonly query?: {
                /** @description The sandbox to act on. Needs the admin token. */
                readonly sandbox?: string;
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
            /** @description The clock as it is now. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Clock"];
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
    readonly resetClock: {
        readonly parameters: {
            readonly query?: {
                /** @description The sandbox to act on. Needs the admin token. */
                readonly sandbox?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The clock as it is now. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Clock"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly advanceClock: {
        readonly parameters: {
            readonly query?: {
                /** @description The sandbox to act on. Needs the admin token. */
                readonly sandbox?: string;
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
            /** @description The clock as it is now. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Clock"];
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
    readonly listFaults: {
        readonly parameters: {
            readonly query?: {
                /** @description The sandbox to act on. Needs the admin token. */
                readonly sandbox?: string;
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
                /** @description The sandbox to act on. Needs the admin token. */
                readonly sandbox?: string;
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
                /** @description The sandbox to act on. Needs the admin token. */
                readonly sandbox?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description There are no rules. */
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
                /** @description The sandbox to act on. Needs the admin token. */
                readonly sandbox?: string;
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
            /** @description The rule is gone. */
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
                /** @description JSON for programs, JUnit for CI, SARIF 2.1.0 for code scanning, one HTML page for people. */
                readonly format?: "json" | "junit" | "sarif" | "html";
                /** @description Whether warnings and the use of deprecated operations make the verdict `fail`, too. */
                readonly strict?: boolean;
                /** @description The sandbox to act on. Needs the admin token. */
                readonly sandbox?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The report. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/sarif+json": {
                        /** @enum {string} */
                        readonly version: "2.1.0";
                        readonly runs: readonly Record<string, never>[];
                    };
                    readonly "application/json": components["schemas"]["Report"];
                    readonly "application/xml": string;
                    readonly "text/html": string;
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
                /** @description How many sandboxes at most; 100 where it is left out. */
                readonly limit?: number;
                /** @description The sandbox after which the page begins. */
                readonly after?: string;
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
                /** @description Only exchanges that were answered with this status. */
                readonly status?: components["schemas"]["HttpStatus"];
                /** @description Only exchanges with a violation (`true`), or only those without (`false`). */
                readonly violations?: boolean;
                /** @description Only exchanges from this time on, or after this request. */
                readonly since?: components["schemas"]["Since"];
                /** @description How many exchanges are listed, the newest of those that match. */
                readonly limit?: number;
                /** @description The sandbox to act on. Needs the admin token. */
                readonly sandbox?: string;
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
                /** @description The sandbox to act on. Needs the admin token. */
                readonly sandbox?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The journal is empty. */
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
                /** @description The sandbox to act on. Needs the admin token. */
                readonly sandbox?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description What is left out may be anything. */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Verification"];
            };
        };
        readonly responses: {
            /** @description It is as expected. */
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
            /** @description It is not as expected. */
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
    readonly getRequest: {
        readonly parameters: {
            readonly query?: {
                /** @description The sandbox to act on. Needs the admin token. */
                readonly sandbox?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The `Sandbox-Request-Id` that came with the answer. */
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
                    readonly "application/json": components["schemas"]["Exchange"];
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
                /** @description The sandbox to act on. Needs the admin token. */
                readonly sandbox?: string;
            };
            readonly header?: {
                /** @description The `id` of the last event that was read. */
                readonly "Last-Event-ID"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /**
             * @description The events. The referee judges how a stream begins, not what comes in it: it has no end that could be
             *     waited for.
             */
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
            /** @description An OpenAPI 3.1 document. */
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
            /** @description An OpenAPI 3.1 document. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OpenapiDocument"];
                };
            };
            readonly 403: components["responses"]["Forbidden"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly getControlsYaml: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description An OpenAPI 3.1 document. */
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
    readonly getReference: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html": string;
                };
            };
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly default: components["responses"]["Error"];
        };
    };
}
