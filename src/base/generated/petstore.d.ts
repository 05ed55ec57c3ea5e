// Generated from spec/openapi.yaml by scripts/generate.mjs; change the specification instead.
export interface paths {
    readonly "/pets": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List pets
         * @description Returns a list of pets, filtered by availability status if you send `status`.
         *
         *     Pagination parameters other than `limit` (page, offset, cursor) and any pagination fields in the response
         *     aren't documented.
         */
        readonly get: operations["listPets"];
        readonly put?: never;
        /**
         * Add a pet
         * @description Adds a pet to the catalog. The service assigns its `id`.
         */
        readonly post: operations["createPet"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/pets/{petId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get a pet
         * @deprecated
         * @description Returns one pet by its id.
         *
         *     Deprecated: will be removed on 5 December 2030. Use `GET /pets` with the `status` filter instead.
         */
        readonly get: operations["getPet"];
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
         * @description Availability status of a pet. Transitions between the values aren't documented.
         * @enum {string}
         */
        readonly PetStatus: "available" | "pending" | "sold";
        /** @description Request body for adding a pet. */
        readonly NewPet: {
            /** @description The pet's name. */
            readonly name: string;
            /**
             * Format: int64
             * @description Identifier of the category the pet belongs to. The fields of a category aren't documented.
             */
            readonly categoryId: bigint;
            /** @description Availability status. No default is documented. */
            readonly status?: components["schemas"]["PetStatus"];
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
        /** @description A list of pets. */
        readonly Pets: readonly components["schemas"]["Pet"][];
        /** @description Body of every error response. */
        readonly Error: {
            /** @description Machine-readable error code. Its values aren't documented. */
            readonly code: string;
            /** @description Human-readable description. */
            readonly message: string;
            /** @description The HTTP status code. */
            readonly status: number;
        };
    };
    responses: {
        /** @description The API key is missing or invalid. */
        readonly Unauthorized: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description Every error response, whatever its status, has `Content-Type: application/json` and an Error body whose `status`
         *     equals the HTTP status code.
         */
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
    readonly listPets: {
        readonly parameters: {
            readonly query?: {
                /** @description Maximum number of pets returned. */
                readonly limit?: number;
                /** @description Returns only pets with this availability status. */
                readonly status?: components["schemas"]["PetStatus"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A paginated list of pets. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Pets"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly createPet: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description The pet to add. */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewPet"];
            };
        };
        readonly responses: {
            /** @description The new pet, with its assigned `id`. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Pet"];
                };
            };
            /** @description The request body is missing required fields or contains invalid values. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly default: components["responses"]["Error"];
        };
    };
    readonly getPet: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifier of the pet. */
                readonly petId: bigint;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The pet. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Pet"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /** @description The pet cannot be found. */
            readonly 404: {
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
}
