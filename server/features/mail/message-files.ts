import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ifExists } from '#data/if-exists.ts'

interface Message {
  /** The message as sent: see `composeMessage`. */
  eml: Buffer
  /** What the administration pages show, and what is copied by hand: its links are unbroken. */
  text: string
}

/** Opens the folder of messages: `<id>.eml` and `<id>.txt`, readable only by the server's user. */
export function openMessageFiles(folder: string) {
  const emlFile = (id: string) => join(folder, `${id}.eml`)
  const textFile = (id: string) => join(folder, `${id}.txt`)

  /** Writes both files or neither, because they contain active codes. */
  async function write(id: string, { eml, text }: Message): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    try {
      await writeFile(textFile(id), text, { mode: 0o600, flag: 'wx' })
      await writeFile(emlFile(id), eml, { mode: 0o600, flag: 'wx' })
    } catch (error) {
      await remove(id)
      throw error
    }
  }

  /** Returns the message as sent, or undefined if its file is missing. */
  async function readEml(id: string): Promise<Buffer | undefined> {
    return readFile(emlFile(id)).catch(() => undefined)
  }

  /** Returns the text of a message. For a message from an earlier version, which stored only the .eml file, that file is returned whole. */
  async function readText(id: string): Promise<string | undefined> {
    const text = await readFile(textFile(id), 'utf8').catch(() => undefined)
    return text ?? (await readEml(id))?.toString()
  }

  async function remove(id: string): Promise<void> {
    await rm(emlFile(id), { force: true })
    await rm(textFile(id), { force: true })
  }

  /** Returns the ids of messages written before a given time. */
  async function listOlder(before: Date): Promise<string[]> {
    const names = (await ifExists(() => readdir(folder))) ?? []
    const ids = new Set(names.flatMap((name) => /^([0-9a-f]{24})\.(eml|txt)$/.exec(name)?.[1] ?? []))
    const isOlder = async (id: string) => {
      const found = (await ifExists(() => stat(emlFile(id)))) ?? (await ifExists(() => stat(textFile(id))))
      return found !== undefined && found.mtime < before
    }
    const older = await Promise.all([...ids].map(async (id) => ((await isOlder(id)) ? [id] : [])))
    return older.flat()
  }

  return { write, readEml, readText, remove, listOlder }
}
