import { stageNames } from '../query/aggregate-stages.ts'
import { indexOptions } from '../commands/commands-catalog.ts'
import { commandNames } from '../engine.ts'
import { expressionOperators } from '../query/expression.ts'
import { accumulatorNames } from '../query/group.ts'
import { fieldOperators } from '../query/match-operators.ts'
import type { Recording } from './recorder.ts'
import { updateOperators } from '../update/update-operators.ts'

/** Returns everything that the engine supports, by kind, as listed in docs/embedded-database.md. */
export function engineSurface(): Record<string, string[]> {
  return {
    Commands: commandNames(),
    Filters: [...fieldOperators, '$and', '$or', '$nor', '$expr', '$comment'].toSorted(),
    Updates: [...Object.keys(updateOperators), '$setOnInsert'].toSorted(),
    'Modifiers of $push and $addToSet': ['$each', '$position', '$slice', '$sort'],
    Projections: ['$elemMatch', '$slice'],
    Stages: stageNames(),
    Expressions: expressionOperators(),
    Accumulators: accumulatorNames(),
    'Options of indexes': [...indexOptions].toSorted(),
  }
}

/** Returns recorded commands, operators and index options that the engine does not support. */
export function outsideSurface({ commands, operators }: Recording): string[] {
  const surface = engineSurface()
  const known = new Set(Object.values(surface).flat())
  const wrongCommands = commands.filter((name) => !surface.Commands?.includes(name))
  const wrongOperators = operators.filter(
    (entry) => !known.has(entry.split(' ')[1] ?? '') && !entry.endsWith('$natural'),
  )
  return [...wrongCommands, ...wrongOperators]
}
