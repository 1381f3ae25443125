import { parseArgs } from 'node:util'
import { z } from 'zod'
import { defaultSeed, faultKinds, faultKindsOfSet } from './plan.ts'

const allKinds = [...new Set([...faultKinds, ...faultKindsOfSet])]

const Options = z.object({
  rounds: z.coerce.number('--rounds takes a number').int().min(1).max(100_000),
  seed: z.coerce.number('--seed takes a number').int().nonnegative(),
  only: z
    .array(z.enum(allKinds, `--only takes one of: ${allKinds.join(', ')}`))
    .min(1)
    .optional(),
  log: z.string().min(1).optional(),
  people: z.coerce.number('--people takes a number').int().min(1).max(50),
  /** Path of mongod, to use a replica set instead of the embedded database. */
  mongod: z.string().min(1).optional(),
  /** Makes this number of backups instead of the rounds. */
  backups: z.coerce.number('--backups takes a number').int().min(1).max(10_000).optional(),
})
export type ChaosOptions = z.infer<typeof Options>

/** Reads the command line of `npm run chaos`. Throws an Error with one sentence per problem. */
export function readOptions(args: string[]): ChaosOptions {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '20' },
      seed: { type: 'string', default: `${defaultSeed}` },
      only: { type: 'string', multiple: true },
      log: { type: 'string' },
      people: { type: 'string', default: '3' },
      backups: { type: 'string' },
      mongod: { type: 'string' },
    },
  })
  const parsed = Options.safeParse(values)
  if (parsed.success) return parsed.data
  throw new Error(parsed.error.issues.map(({ message }) => message).join('\n'))
}
