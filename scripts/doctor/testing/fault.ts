import { readFile, writeFile } from 'node:fs/promises'
import type { Need } from '#testing/needs.ts'
import type { DoctorInstance, ExamineOptions } from './instance.ts'

/** A fault to plant in a healthy instance. */
export interface Fault {
  /** The finding that it must cause. The same check must report nothing else, apart from `also`. */
  code: string
  /** Other findings that inevitably come with the fault. */
  also?: string[]
  /** A description of the fault, for the name of the test. */
  name: string
  plant: (instance: DoctorInstance) => Promise<PlantedFault> | PlantedFault
  /** Whether `--fix` fixes it. */
  isFixable?: boolean
  /** Tools or files without which it cannot be planted. */
  needs?: Need[]
  /** Whether only root can plant it. */
  isForRoot?: boolean
}

export interface PlantedFault extends Omit<ExamineOptions, 'codes' | 'isFixing'> {
  /** Undoes the fault. Not needed where the fault is only in the options. */
  undo?: () => Promise<unknown>
}

/** Replaces the content of a file. */
export async function replaceFile(path: string, change: (content: Buffer) => Buffer): Promise<PlantedFault> {
  const content = await readFile(path)
  await writeFile(path, change(Buffer.from(content)))
  return { undo: () => writeFile(path, content) }
}

/** Inverts one bit of a file. */
export function flipBit(path: string, at: (length: number) => number): Promise<PlantedFault> {
  return replaceFile(path, (content) => {
    const index = at(content.length)
    content[index] = (content[index] ?? 0) ^ 1
    return content
  })
}

/** Changes fields of one document of a collection. */
export async function changeDocument(
  { collection }: DoctorInstance,
  name: string,
  { filter = {}, set }: { filter?: object; set: Record<string, unknown> },
): Promise<PlantedFault> {
  const before = await collection(name).findOne(filter)
  if (!before) throw new Error(`There is no document in ${name}`)
  const { _id } = before
  await collection(name).updateOne({ _id }, { $set: set })
  return { undo: () => collection(name).replaceOne({ _id }, before) }
}

/** Adds a document to a collection. */
export async function addDocument(
  { collection }: DoctorInstance,
  name: string,
  document: Record<string, unknown>,
): Promise<PlantedFault> {
  const { insertedId } = await collection(name).insertOne(document)
  return { undo: () => collection(name).deleteOne({ _id: insertedId }) }
}
