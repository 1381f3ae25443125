import { z } from 'zod'
import { requiredApiKeyScope } from '#contract/api-key-scopes.ts'
import { listEndpoints } from '#contract/api.ts'
import { commonErrors, type EndpointSpec } from '#contract/endpoint.ts'
import { ErrorBody, errorStatus } from '#contract/errors.ts'
import { version } from '#data/version.ts'

type Json = Record<string, unknown>

const contentTypes = {
  json: 'application/json',
  multipart: 'multipart/form-data',
  bytes: 'application/octet-stream',
  audio: 'audio/*',
  events: 'text/event-stream',
  file: 'application/octet-stream',
}

/** Builds the OpenAPI 3.1 document of the whole contract. */
export function buildOpenApi(publicUrl: string): Json {
  const paths: Record<string, Json> = {}
  for (const { name, spec } of listEndpoints()) {
    const path = toTemplate(spec.path)
    paths[path] = { ...paths[path], [spec.method.toLowerCase()]: describeOperation(name, spec) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Awaz', version, description: 'Transcribe, translate and scan calls on your own machines.' },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT or API key' } },
      schemas: { Error: toSchema(ErrorBody, 'output') },
    },
  }
}

/** Returns the error codes of an endpoint, grouped by status in ascending order. */
export function errorsByStatus(spec: EndpointSpec): Map<number, string[]> {
  const codes = [...new Set([...spec.errors, ...commonErrors(spec)])]
  return new Map(
    Object.entries(Object.groupBy(codes, (code) => String(errorStatus[code])))
      .map(([status, group]): [number, string[]] => [Number(status), group ?? []])
      .toSorted(([a], [b]) => a - b),
  )
}

/** Converts `/api/x/:id` to `/api/x/{id}`. */
function toTemplate(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}')
}

function describeOperation(name: string, spec: EndpointSpec): Json {
  const { transport = 'json' } = spec
  const keyScope = requiredApiKeyScope(spec)
  const success = contentTypes[transport === 'multipart' || transport === 'bytes' ? 'json' : transport]
  const failures = [...errorsByStatus(spec)].map(([status, codes]) => [
    String(status),
    {
      description: codes.join(', '),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  ])
  return {
    operationId: name,
    tags: [name.split('.')[0]],
    summary: spec.summary,
    ...(spec.access !== 'public' && { security: [{ bearer: [] }], 'x-role': spec.access }),
    ...(keyScope && { 'x-api-key-scope': keyScope }),
    parameters: [...describeParameters('path', spec.params), ...describeParameters('query', spec.query)],
    ...(spec.body && {
      requestBody: {
        required: !spec.body.safeParse(undefined).success,
        content: {
          [contentTypes[transport === 'multipart' ? 'multipart' : 'json']]: {
            schema: toSchema(spec.body, 'input'),
          },
        },
      },
    }),
    ...(transport === 'bytes' && {
      requestBody: {
        required: true,
        content: { [contentTypes.bytes]: { schema: { type: 'string', format: 'binary' } } },
      },
    }),
    responses: {
      [String(spec.status ?? 200)]: {
        description: 'Success',
        ...(spec.status !== 204 && { content: { [success]: { schema: toSchema(spec.response, 'output') } } }),
      },
      ...Object.fromEntries(failures),
    },
  }
}

function describeParameters(place: 'path' | 'query', schema: z.ZodType | undefined): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }))
}

function toSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
