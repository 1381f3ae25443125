// npm run bench -- commands: how many commands the server and the engine's follower send to the database for each user action, in a
// library of 2,000 recordings on the embedded database.
// Options: --recordings 2000, --list prints each command.
import { parseArgs } from 'node:util'
import { startCountedProduct, type ActionCommands } from '#testing/counted-actions.ts'

/** Periodic work of the server falls into some rounds, so the one with the fewest commands counts. */
const rounds = 5

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { recordings: { type: 'string', default: '2000' }, list: { type: 'boolean', default: false } },
  })
  const product = await startCountedProduct({ recordings: Number(values.recordings) })
  try {
    console.log(`${values.recordings} recordings; the fewest of ${rounds} rounds`)
    console.log(`${'action'.padEnd(20)} request  follower  refresh   in all`)
    for (const [name, act] of Object.entries(product.actions)) {
      const counted: ActionCommands[] = []
      for (let round = 0; round < rounds; round += 1) counted.push(await act())
      print(name, fewest(counted), { isListed: values.list })
    }
  } finally {
    await product.close()
  }
}

function print(name: string, { request, follower, refresh }: ActionCommands, { isListed }: { isListed: boolean }) {
  const figures = [request, follower, refresh].map(({ length }) => `${length}`.padStart(8))
  console.log(
    `${name.padEnd(19)} ${figures.join(' ')} ${`${request.length + follower.length + refresh.length}`.padStart(8)}`,
  )
  if (!isListed) return
  for (const [part, commands] of Object.entries({ request, follower, refresh }))
    for (const command of commands) console.log(`    ${part.padEnd(9)} ${command}`)
}

function fewest(counted: ActionCommands[]): ActionCommands {
  const total = ({ request, follower, refresh }: ActionCommands) => request.length + follower.length + refresh.length
  const [first] = counted.toSorted((a, b) => total(a) - total(b))
  if (!first) throw new Error('No round was counted')
  return first
}
