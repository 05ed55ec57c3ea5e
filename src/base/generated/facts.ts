// Generated from spec/openapi.yaml and spec/control-api.yaml by scripts/generate.mjs; change those instead.

export const interfaceVersion = "1.0.0" as const;

/** The beginning of its SHA-256. */
export const specificationDigest = "06a908e1b98c" as const;

/** Stands before every path. */
export const basePath = "/v1" as const;

/** Every operation of the API by its name, in the order of the paths. */
export const operations = {
  "listPets": {
    "method": "get",
    "path": "/pets",
    "deprecated": false,
    "sunset": null,
    "parameters": {
      "query/limit": {
        "required": false,
        "schema": {
          "type": "integer",
          "minimum": 1,
          "maximum": 100,
          "default": 20
        },
        "example": 2
      },
      "query/status": {
        "required": false,
        "schema": {
          "type": "string",
          "enum": [
            "available",
            "pending",
            "sold"
          ]
        },
        "example": "available"
      }
    },
    "body": null,
    "bodyExample": null,
    "success": {
      "status": 200,
      "schema": "Pets"
    },
    "responses": {
      "200": "A paginated list of pets.",
      "401": "The API key is missing or invalid."
    }
  },
  "createPet": {
    "method": "post",
    "path": "/pets",
    "deprecated": false,
    "sunset": null,
    "parameters": {},
    "body": "NewPet",
    "bodyExample": {
      "name": "Doughnut",
      "categoryId": 1
    },
    "success": {
      "status": 201,
      "schema": "Pet"
    },
    "responses": {
      "201": "The new pet, with its assigned `id`.",
      "400": "The request body is missing required fields or contains invalid values.",
      "401": "The API key is missing or invalid."
    }
  },
  "getPet": {
    "method": "get",
    "path": "/pets/{petId}",
    "deprecated": true,
    "sunset": "2030-12-05",
    "parameters": {
      "path/petId": {
        "required": true,
        "schema": {
          "type": "integer",
          "format": "int64"
        },
        "example": 1
      }
    },
    "body": null,
    "bodyExample": null,
    "success": {
      "status": 200,
      "schema": "Pet"
    },
    "responses": {
      "200": "The pet.",
      "401": "The API key is missing or invalid.",
      "404": "The pet cannot be found."
    }
  }
} as const;

/** The object schemas: references are followed, and annotations dropped. */
export const schemas = {
  "NewPet": {
    "type": "object",
    "required": [
      "name",
      "categoryId"
    ],
    "properties": {
      "name": {
        "type": "string"
      },
      "categoryId": {
        "type": "integer",
        "format": "int64"
      },
      "status": {
        "type": "string",
        "enum": [
          "available",
          "pending",
          "sold"
        ]
      }
    }
  },
  "Pet": {
    "type": "object",
    "required": [
      "id",
      "name",
      "categoryId"
    ],
    "properties": {
      "id": {
        "type": "integer",
        "format": "int64"
      },
      "name": {
        "type": "string"
      },
      "categoryId": {
        "type": "integer",
        "format": "int64"
      },
      "status": {
        "type": "string",
        "enum": [
          "available",
          "pending",
          "sold"
        ]
      }
    }
  },
  "Error": {
    "type": "object",
    "required": [
      "code",
      "message",
      "status"
    ],
    "properties": {
      "code": {
        "type": "string"
      },
      "message": {
        "type": "string"
      },
      "status": {
        "type": "integer"
      }
    }
  }
} as const;

export const petStatuses = [
  "available",
  "pending",
  "sold"
] as const;

/** What ids are, by the names of their schemas. */
export const idPatterns = {
  "SandboxId": "^sbx_([a-z0-9]{1,8}_)?[A-Za-z0-9]{1,64}$",
  "KeyId": "^key_[A-Za-z0-9]{1,64}$",
  "FaultId": "^flt_[A-Za-z0-9]{1,64}$",
  "RequestId": "^req_[A-Za-z0-9]{1,64}$"
} as const;

/** The fields of a fault rule, and which of them go together. */
export const newFault = {
  "type": "object",
  "additionalProperties": false,
  "description": "The fault to inject, and the requests that it affects.",
  "anyOf": [
    {
      "required": [
        "status"
      ]
    },
    {
      "required": [
        "delayMs"
      ]
    },
    {
      "required": [
        "bytesPerSecond"
      ]
    },
    {
      "required": [
        "connection"
      ]
    },
    {
      "required": [
        "limit"
      ]
    },
    {
      "required": [
        "vary"
      ]
    },
    {
      "required": [
        "corrupt"
      ]
    }
  ],
  "allOf": [
    {
      "not": {
        "description": "must not have `status` together with a `connection` that is reset or empty, since no status is sent; leave one of them out",
        "required": [
          "status",
          "connection"
        ],
        "properties": {
          "status": {},
          "connection": {
            "enum": [
              "reset",
              "empty"
            ]
          }
        }
      }
    },
    {
      "not": {
        "description": "must not have `vary` together with a `connection` that is reset or empty, since no body is sent; leave one of them out",
        "required": [
          "vary",
          "connection"
        ],
        "properties": {
          "vary": {},
          "connection": {
            "enum": [
              "reset",
              "empty"
            ]
          }
        }
      }
    },
    {
      "not": {
        "description": "must not have `corrupt` together with a `connection` that is reset or empty, since no body is sent; leave one of them out",
        "required": [
          "corrupt",
          "connection"
        ],
        "properties": {
          "corrupt": {},
          "connection": {
            "enum": [
              "reset",
              "empty"
            ]
          }
        }
      }
    },
    {
      "not": {
        "description": "must not have `bytesPerSecond` together with `connection`, since no whole body is sent; leave one of them out",
        "required": [
          "bytesPerSecond",
          "connection"
        ],
        "properties": {
          "bytesPerSecond": {},
          "connection": {}
        }
      }
    },
    {
      "not": {
        "description": "must not have `limit` together with `connection`, since a limited request gets a response; leave one of them out",
        "required": [
          "limit",
          "connection"
        ],
        "properties": {
          "limit": {},
          "connection": {}
        }
      }
    },
    {
      "not": {
        "description": "must not have `limit` together with `retryAfter`, since the limit itself says how long to wait; leave one of them out",
        "required": [
          "limit",
          "retryAfter"
        ],
        "properties": {
          "limit": {},
          "retryAfter": {}
        }
      }
    },
    {
      "not": {
        "description": "must not have `limit` together with `pattern`, since each decides when the rule triggers; leave one of them out",
        "required": [
          "limit",
          "pattern"
        ],
        "properties": {
          "limit": {},
          "pattern": {}
        }
      }
    },
    {
      "not": {
        "description": "must not have `limit` together with `probability`, since each decides when the rule triggers; leave one of them out",
        "required": [
          "limit",
          "probability"
        ],
        "properties": {
          "limit": {},
          "probability": {}
        }
      }
    },
    {
      "not": {
        "description": "must not have pattern together with `probability`, since each decides when the rule triggers; leave one of them out",
        "required": [
          "pattern",
          "probability"
        ],
        "properties": {
          "pattern": {},
          "probability": {}
        }
      }
    },
    {
      "not": {
        "description": "must not have `petId` together with this operation, which has no id in its path, so that the rule would never trigger; give getPet, or leave one of them out",
        "required": [
          "petId",
          "operation"
        ],
        "properties": {
          "petId": {},
          "operation": {
            "enum": [
              "listPets",
              "createPet"
            ]
          }
        }
      }
    },
    {
      "not": {
        "description": "must not have a `probability` of 0, with which the rule would never trigger; give more, or leave the rule out",
        "required": [
          "probability"
        ],
        "properties": {
          "probability": {
            "enum": [
              0
            ]
          }
        }
      }
    }
  ],
  "dependentRequired": {
    "retryAfter": [
      "status"
    ],
    "retryAfterAs": [
      "retryAfter"
    ],
    "delayToMs": [
      "delayMs"
    ]
  },
  "properties": {
    "operation": {
      "type": "string",
      "description": "The operation that it affects; by default every one.",
      "enum": [
        "listPets",
        "createPet",
        "getPet"
      ]
    },
    "petId": {
      "type": "string",
      "description": "The pet id in the path, as a string of digits.",
      "pattern": "^(0|-?[1-9][0-9]{0,18})$",
      "examples": [
        "42"
      ],
      "maxLength": 20
    },
    "query": {
      "type": "string",
      "description": "Parameters in the query, like `status=sold&limit=5`. It may have others.",
      "minLength": 1,
      "maxLength": 200,
      "pattern": "^[^?#\\s]+$",
      "examples": [
        "status=sold"
      ]
    },
    "when": {
      "type": "string",
      "description": "`before`: the operation doesn't happen. `after`: it happens, and the fault changes its response. By default `after` for\n`truncate`, `vary` or `corrupt` without a status, otherwise `before`.\n",
      "enum": [
        "before",
        "after"
      ]
    },
    "status": {
      "type": "integer",
      "examples": [
        503
      ],
      "description": "The response is an Error body with this status.",
      "minimum": 400,
      "maximum": 599
    },
    "retryAfter": {
      "type": "integer",
      "examples": [
        2
      ],
      "description": "Seconds in the header `Retry-After` of that response.",
      "minimum": 0,
      "maximum": 86400
    },
    "retryAfterAs": {
      "type": "string",
      "description": "`seconds`, the default, or an HTTP `date`. It has whole seconds, so it may be up to a second earlier.\n",
      "enum": [
        "seconds",
        "date"
      ]
    },
    "delayMs": {
      "type": "integer",
      "examples": [
        500
      ],
      "description": "The delay of the response in milliseconds.",
      "minimum": 0,
      "maximum": 60000
    },
    "delayToMs": {
      "type": "integer",
      "examples": [
        2000
      ],
      "description": "Delays are spread evenly between `delayMs` and this.",
      "minimum": 0,
      "maximum": 60000
    },
    "bytesPerSecond": {
      "type": "integer",
      "examples": [
        1000
      ],
      "description": "The body is sent this slowly, ten parts a second, but takes a minute at most.",
      "minimum": 10,
      "maximum": 1000000000
    },
    "connection": {
      "type": "string",
      "description": "`reset`: a TCP reset instead of a response. `empty`: the connection closes without a byte. `truncate`: the head, with the\nlength of the whole response, then half of the body. Before the operation, and without a status, that's half of a 503.\n",
      "enum": [
        "reset",
        "empty",
        "truncate"
      ]
    },
    "vary": {
      "type": "array",
      "examples": [
        [
          "field",
          "order"
        ]
      ],
      "description": "Changes the body in ways that a robust client tolerates. `field`: one more in each object. `order`: fields in reverse\norder. `space`: white space between tokens. `status`: the first pet is `reserved`. `code`: an error with the code `quota_spent`.\n",
      "minItems": 1,
      "maxItems": 5,
      "uniqueItems": true,
      "items": {
        "type": "string",
        "enum": [
          "field",
          "order",
          "space",
          "status",
          "code"
        ]
      }
    },
    "corrupt": {
      "type": "string",
      "description": "Breaks the body. `json`: its last character is missing, and not counted in the length. `type`: the first integer of its first\nobject is a string. `required`: its first object lacks its first field.\n",
      "enum": [
        "json",
        "type",
        "required"
      ]
    },
    "limit": {
      "type": "object",
      "examples": [
        {
          "requests": 10,
          "seconds": 60
        }
      ],
      "additionalProperties": false,
      "description": "A rate limiter: from a first request on, `requests` pass within `seconds`. Further ones get a 429, or `status`, with the rest\nof these seconds in `Retry-After`. It counts in real time.\n",
      "required": [
        "requests",
        "seconds"
      ],
      "properties": {
        "requests": {
          "type": "integer",
          "description": "Requests that pass in one window.",
          "minimum": 1,
          "maximum": 1000000
        },
        "seconds": {
          "type": "integer",
          "description": "The length of a window.",
          "minimum": 1,
          "maximum": 86400
        }
      }
    },
    "from": {
      "type": "integer",
      "examples": [
        3
      ],
      "description": "The number of the first matching request that may trigger it; by default 1.",
      "minimum": 1,
      "maximum": 1000000
    },
    "pattern": {
      "type": "string",
      "description": "One character for each matching request, repeated: `x` triggers the fault, `.` passes.\n",
      "pattern": "^[x.]*x[x.]*$",
      "examples": [
        "xx."
      ],
      "maxLength": 100
    },
    "times": {
      "type": "integer",
      "examples": [
        2
      ],
      "description": "How often it triggers; by default without limit.",
      "minimum": 1,
      "maximum": 1000000
    },
    "probability": {
      "type": "number",
      "examples": [
        0.2
      ],
      "description": "The probability that a request triggers it.",
      "minimum": 0,
      "maximum": 1
    },
    "seed": {
      "type": "integer",
      "examples": [
        7
      ],
      "description": "The same seed repeats the same random choices and delays. If one is needed and omitted, it's drawn and returned.",
      "minimum": 0,
      "maximum": 4294967295
    }
  }
} as const;

/** The fields of each control in its query and its body: type and values. */
export const controlFields = {
  "POST /mcp": {
    "jsonrpc": {
      "type": "string",
      "enum": [
        "2.0"
      ],
      "required": true
    },
    "id": {},
    "method": {
      "type": "string"
    },
    "params": {
      "type": "object"
    },
    "result": {
      "type": "object"
    },
    "error": {
      "type": "object"
    }
  },
  "POST /keys": {
    "label": {
      "type": "string"
    },
    "fixture": {},
    "ttlSeconds": {
      "type": "integer"
    },
    "shared": {
      "type": "boolean"
    }
  },
  "POST /sign-in": {
    "code": {
      "type": "string",
      "required": true
    }
  },
  "POST /reset": {
    "scope": {
      "type": "string",
      "enum": [
        "all"
      ]
    },
    "fixture": {},
    "snapshot": {
      "type": "string"
    },
    "requestLog": {
      "type": "boolean"
    }
  },
  "GET /pets": {
    "status": {
      "type": "string",
      "enum": [
        "available",
        "pending",
        "sold"
      ]
    },
    "id": {
      "type": "string"
    },
    "limit": {
      "type": "integer"
    }
  },
  "POST /pets": {
    "count": {
      "type": "integer",
      "required": true
    },
    "seed": {
      "type": "integer"
    },
    "status": {
      "type": "string",
      "enum": [
        "available",
        "pending",
        "sold"
      ]
    }
  },
  "POST /snapshots": {
    "name": {
      "type": "string",
      "required": true
    }
  },
  "POST /fork": {
    "label": {
      "type": "string"
    },
    "ttlSeconds": {
      "type": "integer"
    }
  },
  "GET /export": {
    "format": {
      "type": "string",
      "enum": [
        "fixture",
        "recording",
        "har",
        "curl"
      ]
    },
    "request": {
      "type": "string"
    }
  },
  "PUT /clock": {
    "now": {
      "type": "string"
    },
    "frozen": {
      "type": "boolean"
    }
  },
  "POST /clock/advance": {
    "duration": {
      "type": "string",
      "required": true
    }
  },
  "POST /faults": {
    "operation": {
      "type": "string",
      "enum": [
        "listPets",
        "createPet",
        "getPet"
      ]
    },
    "petId": {
      "type": "string"
    },
    "query": {
      "type": "string"
    },
    "when": {
      "type": "string",
      "enum": [
        "before",
        "after"
      ]
    },
    "status": {
      "type": "integer"
    },
    "retryAfter": {
      "type": "integer"
    },
    "retryAfterAs": {
      "type": "string",
      "enum": [
        "seconds",
        "date"
      ]
    },
    "delayMs": {
      "type": "integer"
    },
    "delayToMs": {
      "type": "integer"
    },
    "bytesPerSecond": {
      "type": "integer"
    },
    "connection": {
      "type": "string",
      "enum": [
        "reset",
        "empty",
        "truncate"
      ]
    },
    "vary": {
      "type": "array",
      "items": {
        "enum": [
          "field",
          "order",
          "space",
          "status",
          "code"
        ]
      }
    },
    "corrupt": {
      "type": "string",
      "enum": [
        "json",
        "type",
        "required"
      ]
    },
    "limit": {
      "type": "object",
      "properties": {
        "requests": {},
        "seconds": {}
      }
    },
    "from": {
      "type": "integer"
    },
    "pattern": {
      "type": "string"
    },
    "times": {
      "type": "integer"
    },
    "probability": {
      "type": "number"
    },
    "seed": {
      "type": "integer"
    }
  },
  "GET /drill": {
    "strict": {
      "type": "boolean"
    }
  },
  "PUT /drill": {
    "drill": {
      "type": "string",
      "required": true
    }
  },
  "POST /drill/outcome": {
    "success": {
      "type": "boolean",
      "required": true
    },
    "crashed": {
      "type": "boolean"
    },
    "results": {
      "type": "array",
      "items": {}
    }
  },
  "GET /report": {
    "run": {
      "type": "string"
    },
    "format": {
      "type": "string",
      "enum": [
        "text",
        "json",
        "junit",
        "html",
        "markdown",
        "github"
      ]
    },
    "strict": {
      "type": "boolean"
    },
    "finish": {
      "type": "boolean"
    },
    "expectedInvalid": {
      "type": "string"
    },
    "unmatched": {
      "type": "boolean"
    }
  },
  "POST /report": {
    "base": {
      "type": "string"
    },
    "strict": {
      "type": "boolean"
    },
    "format": {
      "type": "string",
      "enum": [
        "text",
        "json",
        "junit",
        "html",
        "markdown",
        "github"
      ]
    },
    "log": {
      "type": "object",
      "properties": {
        "entries": {}
      },
      "required": true
    }
  },
  "GET /preview": {
    "run": {
      "type": "string"
    },
    "at": {
      "type": "string"
    },
    "format": {
      "type": "string",
      "enum": [
        "text",
        "json",
        "junit",
        "html",
        "markdown",
        "github"
      ]
    }
  },
  "POST /preview": {
    "run": {
      "type": "string"
    },
    "at": {
      "type": "string"
    },
    "format": {
      "type": "string",
      "enum": [
        "text",
        "json",
        "junit",
        "html",
        "markdown",
        "github"
      ]
    }
  },
  "GET /runs": {
    "against": {
      "type": "string"
    }
  },
  "POST /runs": {
    "name": {
      "type": "string"
    }
  },
  "GET /issues": {
    "run": {
      "type": "string"
    }
  },
  "GET /sandboxes": {
    "limit": {
      "type": "integer"
    },
    "after": {
      "type": "string"
    }
  },
  "GET /requests": {
    "operation": {
      "type": "string",
      "enum": [
        "listPets",
        "createPet",
        "getPet"
      ]
    },
    "status": {
      "type": "integer"
    },
    "run": {
      "type": "string"
    },
    "violations": {
      "type": "boolean"
    },
    "since": {},
    "before": {
      "type": "string"
    },
    "contains": {
      "type": "string"
    },
    "limit": {
      "type": "integer"
    }
  },
  "POST /requests/verify": {
    "run": {
      "type": "string"
    },
    "operation": {
      "type": "string",
      "enum": [
        "listPets",
        "createPet",
        "getPet"
      ]
    },
    "method": {
      "type": "string"
    },
    "path": {
      "type": "string"
    },
    "status": {
      "type": "integer"
    },
    "body": {},
    "responseBody": {},
    "since": {},
    "atLeast": {
      "type": "integer"
    },
    "atMost": {
      "type": "integer"
    },
    "exactly": {
      "type": "integer"
    }
  }
} as const;

/** The fields that are int64 in a response of the control API, by name. */
export const int64Members = [
  "nextId",
  "id",
  "categoryId",
  "firstId",
  "lastId"
] as const;

/** The paths of the control API whose operations act on no sandbox. */
export const pathsWithoutSandbox = [
  "/mcp",
  "/health",
  "/sign-in-codes",
  "/sign-in",
  "/import",
  "/drills",
  "/sandboxes",
  "/metrics",
  "/fixtures",
  "/requests/unmatched",
  "/openapi.yaml",
  "/openapi.json",
  "/control-api.json",
  "/control-api.yaml"
] as const;

export const drillGroups = [
  "writes",
  "retries",
  "compatibility"
] as const;

/** Of a file in each format of results. */
export const formatExtensions = {
  "text": "txt",
  "json": "json",
  "junit": "xml",
  "html": "html",
  "markdown": "md",
  "github": "github.txt"
} as const;

export type OperationName = keyof typeof operations;
export type FaultField = keyof typeof newFault.properties;

export const operationNames = /* @__PURE__ */ Object.keys(operations) as OperationName[];
export const faultFields = /* @__PURE__ */ (() => Object.keys(newFault.properties) as FaultField[])();
