// Generated from spec/openapi.yaml and spec/controls.yaml by scripts/generate.mjs; change those instead.

export const interfaceVersion = "1.0.0" as const;

/** Stands before every path. */
export const basePath = "/v1" as const;

/** Every operation of the interface by its name, in the order of the paths. */
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
        }
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
        }
      }
    },
    "body": null,
    "success": {
      "status": 200,
      "schema": "Pets"
    },
    "responses": {
      "200": "A paginated list of animals.",
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
    "success": {
      "status": 201,
      "schema": "Pet"
    },
    "responses": {
      "201": "The animal as it was added, with its assigned `id`.",
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
        }
      }
    },
    "body": null,
    "success": {
      "status": 200,
      "schema": "Pet"
    },
    "responses": {
      "200": "The animal.",
      "401": "The API key is missing or invalid.",
      "404": "The animal cannot be found."
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

/** The fields of a fault rule, and which of them go together. */
export const newFault = {
  "type": "object",
  "additionalProperties": false,
  "description": "What shall go wrong, and for which requests.",
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
        "connection"
      ]
    }
  ],
  "not": {
    "description": "must not have status beside a connection that is reset or empty, since no status is sent; leave one of them out",
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
  },
  "dependentRequired": {
    "retryAfter": [
      "status"
    ],
    "seed": [
      "probability"
    ]
  },
  "properties": {
    "operation": {
      "type": "string",
      "description": "The operation that it concerns; every one where it is left out.",
      "enum": [
        "listPets",
        "createPet",
        "getPet"
      ]
    },
    "when": {
      "type": "string",
      "description": "Whether the fault stands before the operation, which then does not happen, or after it. Where it is left out:\n`after` for a `truncate` without a status, else `before`.\n",
      "enum": [
        "before",
        "after"
      ]
    },
    "status": {
      "type": "integer",
      "description": "The answer is an Error body with this status.",
      "minimum": 400,
      "maximum": 599
    },
    "retryAfter": {
      "type": "integer",
      "description": "Seconds in the header `Retry-After` of that answer.",
      "minimum": 0,
      "maximum": 86400
    },
    "delayMs": {
      "type": "integer",
      "description": "How many milliseconds the answer waits.",
      "minimum": 0,
      "maximum": 60000
    },
    "connection": {
      "type": "string",
      "description": "`reset`: a TCP reset in place of an answer. `empty`: the connection ends without a byte. `truncate`: the head\ncomes with the length of the whole answer, then half of its body, then the end. Before the operation, and\nwithout a status, the half is that of a 503.\n",
      "enum": [
        "reset",
        "empty",
        "truncate"
      ]
    },
    "times": {
      "type": "integer",
      "description": "How often it acts; always where it is left out.",
      "minimum": 1,
      "maximum": 1000000
    },
    "probability": {
      "type": "number",
      "description": "How likely it acts on a request.",
      "minimum": 0,
      "maximum": 1
    },
    "seed": {
      "type": "integer",
      "description": "Makes the same sequence each time. Drawn and told where there is a probability and no seed.",
      "minimum": 0,
      "maximum": 4294967295
    }
  }
} as const;

export type OperationName = keyof typeof operations;
export type FaultField = keyof typeof newFault.properties;

export const operationNames = Object.keys(operations) as OperationName[];
export const faultFields = Object.keys(newFault.properties) as FaultField[];
