import { CommandError, unsupportedHere } from '../errors.ts'
import { compileExpression, type Variables } from './expression.ts'
import { compileGroup } from './group.ts'
import { sortFields, sortKey, type KeyField } from '../storage/index-keys.ts'
import { compileFilter } from './match.ts'
import { compileProjection, compileSetFields, type Projection } from './projection.ts'
import { toInteger } from '../bson/numbers.ts'
import { isDocument, isNumber, toNumeric, type Document } from '../bson/values.ts'

/** One compiled stage: documents in, documents out. */
export type Stage = (documents: Document[]) => Document[]

type StageCompiler = (argument: unknown, variables: Variables) => Stage

const stageCompilers: Readonly<Record<string, StageCompiler>> = {
  $match: (argument, variables) => {
    const predicate = compileFilter(documentOf('$match', argument), variables)
    return (documents) => documents.filter(predicate)
  },
  $project: (argument, variables) => each(compileProjection(documentOf('$project', argument), { variables })),
  $set: (argument, variables) => each(compileSetFields(documentOf('$set', argument), variables)),
  $addFields: (argument, variables) => each(compileSetFields(documentOf('$addFields', argument), variables)),
  $unset: (argument, variables) => {
    const fields = Object.fromEntries([argument].flat().map((path) => [String(path), false]))
    return each(compileProjection(fields, { variables }))
  },
  $replaceRoot: (argument, variables) => each(replaceRoot(documentOf('$replaceRoot', argument).newRoot, variables)),
  $replaceWith: (argument, variables) => each(replaceRoot(argument, variables)),
  $group: (argument, variables) => compileGroup(documentOf('$group', argument), variables),
  $sort: (argument) => {
    const fields = sortFields(documentOf('$sort', argument))
    return (documents) => sortDocuments(documents, fields)
  },
  $skip: (argument) => {
    const skip = countOf('$skip', argument)
    return (documents) => documents.slice(skip)
  },
  $limit: (argument) => {
    const limit = countOf('$limit', argument)
    if (limit === 0) throw new CommandError('Location15958', 'the limit must be positive')
    return (documents) => documents.slice(0, limit)
  },
  $count: (argument) => (documents) =>
    documents.length > 0 ? [{ [String(argument)]: toInteger(documents.length) }] : [],
}

/** Returns the names of the stages. `$unionWith` reads another collection and is run by the command (commands-read.ts). */
export function stageNames(): string[] {
  return [...Object.keys(stageCompilers), '$unionWith'].toSorted()
}

/** @throws Location40324 for a stage that this engine does not know. */
export function compilePipeline(pipeline: unknown, variables: Variables): Stage {
  if (!Array.isArray(pipeline)) throw new CommandError('TypeMismatch', "'pipeline' must be an array")
  const stages = pipeline.map((stage) => compileStage(stage, variables))
  return (documents) => stages.reduce((current, stage) => stage(current), documents)
}

function compileStage(stage: unknown, variables: Variables): Stage {
  const [name = '', ...others] = isDocument(stage) ? Object.keys(stage) : []
  if (!isDocument(stage) || name === '' || others.length > 0) {
    throw new CommandError('Location40323', 'A pipeline stage specification object must contain exactly one field.')
  }
  if (name === '$changeStream') {
    throw new CommandError('Location40573', 'The $changeStream stage is only supported on replica sets')
  }
  const compiler = stageCompilers[name]
  if (!compiler)
    throw new CommandError('Location40324', `Unrecognized pipeline stage name: '${name}'; ${unsupportedHere}`)
  return compiler(stage[name], variables)
}

const updateStages = new Set(['$set', '$addFields', '$unset', '$project', '$replaceRoot', '$replaceWith'])

/** Compiles an update pipeline for one document; the `_id` is kept unless the pipeline sets another. */
export function compileUpdatePipeline(pipeline: unknown[], variables: Variables): Projection {
  for (const stage of pipeline) {
    const [name = ''] = isDocument(stage) ? Object.keys(stage) : []
    if (!updateStages.has(name)) {
      throw new CommandError(
        'Location40324',
        `Unrecognized or disallowed pipeline stage name in update: '${name}'; ${unsupportedHere}`,
      )
    }
  }
  const run = compilePipeline(pipeline, variables)
  return (document) => {
    const [updated = {}] = run([document])
    return updated._id === undefined && document._id !== undefined ? { _id: document._id, ...updated } : updated
  }
}

function each(projection: Projection): Stage {
  return (documents) => documents.map(projection)
}

function documentOf(stage: string, argument: unknown): Document {
  if (!isDocument(argument)) throw new CommandError('FailedToParse', `the ${stage} specification must be an object`)
  return argument
}

function countOf(stage: string, argument: unknown): number {
  const count = isNumber(argument) ? Number(toNumeric(argument)) : Number.NaN
  if (!Number.isInteger(count) || count < 0) {
    throw new CommandError('Location15958', `invalid argument to ${stage} stage: a number of at least 0 is expected`)
  }
  return count
}

function sortDocuments(documents: Document[], fields: KeyField[]): Document[] {
  return documents
    .map((document) => ({ document, key: sortKey(document, fields) }))
    .toSorted((a, b) => Buffer.compare(a.key, b.key))
    .map(({ document }) => document)
}

function replaceRoot(newRoot: unknown, variables: Variables): Projection {
  const expression = compileExpression(newRoot, variables)
  return (document) => {
    const root = expression({ root: document, variables })
    if (isDocument(root)) return root
    throw new CommandError('Location40234', "'newRoot' expression must evaluate to an object")
  }
}
