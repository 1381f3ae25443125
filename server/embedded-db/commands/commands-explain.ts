import { collectionName, documentOption, documentsOption, type Command } from './command.ts'
import { unsupported } from '../errors.ts'
import { pipelineQuery } from './commands-read.ts'
import { describePlan, planQuery, type PlanRequest } from '../query/plan.ts'
import { findInSteps } from '../query/query.ts'
import type { Document } from '../bson/values.ts'

/** Explains whether a collection is scanned or which index is used. Makes no changes. */
export const explain: Command = {
  isWrite: false,
  options: ['verbosity'],
  *run(context) {
    const explained = documentOption(context.command, 'explain') ?? {}
    const request = planRequest(explained)
    const { database, store, variables, deadline } = context
    const name = collectionName(explained)
    const collection = store.catalog.find(database, name)
    const winningPlan = collection ? describePlan(planQuery(collection, request)) : { stage: 'EOF' }
    const isExecuted = context.command.verbosity !== 'queryPlanner' && collection
    const found = isExecuted ? yield* findInSteps(store, collection, { ...request, variables, deadline }) : undefined
    return {
      queryPlanner: { namespace: `${database}.${name}`, winningPlan, rejectedPlans: [] },
      ...(found === undefined ? {} : { executionStats: { executionSuccess: true, nReturned: found.length } }),
      serverInfo: { awazEmbedded: true },
      ok: 1,
    }
  },
}

/** Returns the planner's input for a command. */
export function planRequest(command: Document): PlanRequest {
  const [name = ''] = Object.keys(command)
  const sort = documentOption(command, 'sort')
  switch (name) {
    case 'find':
      return { filter: documentOption(command, 'filter') ?? {}, sort, hint: command.hint }
    case 'count':
    case 'distinct':
    case 'findAndModify':
      return { filter: documentOption(command, 'query') ?? {}, sort, hint: command.hint }
    case 'aggregate': {
      const { query } = pipelineQuery(documentsOption(command, 'pipeline'))
      return { filter: query.filter ?? {}, sort: query.sort, hint: command.hint }
    }
    case 'update':
    case 'delete': {
      const [statement = {}] = documentsOption(command, name === 'update' ? 'updates' : 'deletes')
      return { filter: documentOption(statement, 'q') ?? {}, hint: statement.hint }
    }
    default:
      throw unsupported(`explain of '${name}'`)
  }
}
