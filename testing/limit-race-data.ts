import { toObjectId } from '#data/ids.ts'
import type { TestServer } from './server.ts'

type Fields = Record<string, unknown>

/** Returns the connection of a server to its database. */
export const connectionOf = (server: TestServer) => server.services.database.connection

/** Counts documents of a collection, and adds copies of an existing one without its slot, as versions without slots stored them. */
export function createDocumentFiller(
  server: TestServer,
  name: string,
  scope: Fields,
  vary: (number: number) => Fields = () => ({}),
) {
  const collection = connectionOf(server).collection(name)
  return {
    count: () => collection.countDocuments(scope),
    async fill(count: number) {
      const one = await collection.findOne(scope)
      if (!one) throw new Error(`There is nothing to copy in ${name}`)
      const { _id, slot: _slot, ...fields } = one
      const rows = Array.from({ length: count }, (_, number) => ({ ...fields, ...vary(number) }))
      for (let from = 0; from < count; from += 500) await collection.insertMany(rows.slice(from, from + 500))
    },
  }
}

/** Counts and adds items of an array in a document. */
export function createArrayFiller(
  server: TestServer,
  name: string,
  { id, field }: { id: string; field: string },
  item: () => unknown,
) {
  const collection = connectionOf(server).collection(name)
  const filter = { _id: toObjectId(id) }
  const read = async (): Promise<unknown[]> => (await collection.findOne(filter))?.[field] ?? []
  return {
    count: async () => (await read()).length,
    async fill(count: number) {
      const added = Array.from({ length: count }, item)
      await collection.updateOne(filter, { $set: { [field]: [...(await read()), ...added] } })
    },
  }
}
