import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { upload } from '#testing/uploads.ts'
import { filesIn, makeCall, until, useWatchedFolder } from './testing/watched-folder.ts'

const context = useWatchedFolder()

/** The name of "café.wav" as Windows writes it. */
const latinName = Buffer.from('caf\u00e9.wav', 'latin1')

test('a name that leaves no room for its note is shortened, and the good files behind it are moved', async () => {
  const { server, user, own } = context
  await upload(server, user.accessToken, { name: 'first.wav', content: makeCall() })
  const name = `${'a'.repeat(249)}.wav`
  const good = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`good-${index}.wav`, makeCall(index + 1)]))
  await context.fill(user.email, { [name]: makeCall(), ...good })
  await context.watch()
  const short = `${'a'.repeat(247)}.wav`
  await until(async () =>
    expect(await filesIn(join(own, 'done'))).toEqual([short, `${short}.txt`, ...Object.keys(good)].toSorted()),
  )
  expect(await readFile(join(own, 'done', `${short}.txt`), 'utf8')).toContain('already, as "first.wav"')
  expect(await context.library()).toEqual(['first.wav', ...Object.keys(good)])
})

test('a file whose name is not in UTF-8 is imported, and its note says what it is called', async () => {
  const { own } = context
  await writeFile(Buffer.concat([Buffer.from(`${own}/`), latinName]), makeCall())
  await context.watch()
  await until(async () => expect(await context.library()).toEqual(['caf\ufffd.wav']))
  const note = Buffer.concat([latinName, Buffer.from('.txt')])
  const done = () => readdir(join(own, 'done'), { encoding: 'buffer' })
  await until(async () => expect((await done()).toSorted(Buffer.compare)).toEqual([latinName, note]))
  const text = await readFile(Buffer.concat([Buffer.from(`${own}/done/`), note]), 'utf8')
  expect(text).toContain('In the library it is called "caf\ufffd.wav".')
})

test('files of another folder do not wait behind the hundreds of one', async () => {
  const { server } = context
  // All have the same content, so after the first one the library already has them.
  const many = Object.fromEntries(Array.from({ length: 130 }, (_, index) => [`call-${index}.wav`, makeCall()]))
  const other = await server.createSignedIn({ email: `zz.${context.user.email}` })
  const crowded = await context.fill(context.user.email, many)
  await context.fill(other.email, { 'urgent.wav': makeCall(1) })
  const turns: string[] = []
  await context.watch({ beforeReading: (ownerId) => void turns.push(ownerId) })
  await until(async () => expect((await filesIn(join(crowded, 'done'))).length).toBe(2 * 130 - 1))
  expect(turns).toHaveLength(131)
  expect(turns.indexOf(other.id)).toBeLessThanOrEqual(25)
})
