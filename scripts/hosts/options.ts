import { parseArgs } from 'node:util'
import { z } from 'zod'

const Options = z.object({
  /** How long people work while processes are killed. */
  minutes: z.coerce.number('--minutes takes a number').min(1, '--minutes takes at least 1').max(1_000),
  /** Folder that keeps what the processes print. Default: removed with the other files of the run. */
  logs: z.string().min(1).optional(),
  /** Where audio is stored: in a folder that the hosts share, or in the database, so that they share nothing else. */
  audioStore: z.enum(['folder', 'gridfs'], '--audio-store takes folder or gridfs'),
})
export type HostsOptions = z.infer<typeof Options>

/** Reads the command line of `npm run hosts`. Throws an Error with one sentence per problem. */
export function readOptions(args: string[]): HostsOptions {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '10' },
      logs: { type: 'string' },
      'audio-store': { type: 'string', default: 'folder' },
    },
  })
  const { 'audio-store': audioStore, ...rest } = values
  const parsed = Options.safeParse({ ...rest, audioStore })
  if (parsed.success) return parsed.data
  throw new Error(parsed.error.issues.map(({ message }) => message).join('\n'))
}
