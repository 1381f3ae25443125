import type { Connection } from 'mongoose'
import { systemFactModel } from './system-fact-model.ts'

/** Reads and writes facts about this database: texts by name. */
export function createSystemFactRepository(connection: Connection) {
  const facts = systemFactModel(connection)

  async function has(name: string): Promise<boolean> {
    return (await facts.exists({ _id: name })) !== null
  }

  async function find(name: string): Promise<string | null> {
    return (await facts.findById(name).lean())?.value ?? null
  }

  async function set(name: string, value: string): Promise<void> {
    await facts.updateOne({ _id: name }, { $set: { value } }, { upsert: true })
  }

  /** Stores a fact unless it is already known. Returns the value stored afterwards. */
  async function setOnce(name: string, value: string): Promise<string | undefined> {
    const stored = await facts
      .findOneAndUpdate(
        { _id: name },
        { $setOnInsert: { value, until: null } },
        { upsert: true, returnDocument: 'after' },
      )
      .lean()
    return stored?.value
  }

  async function remove(name: string): Promise<void> {
    await facts.deleteOne({ _id: name })
  }

  return { has, find, set, setOnce, remove }
}

export type SystemFactRepository = ReturnType<typeof createSystemFactRepository>
