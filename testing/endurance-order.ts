import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that run for minutes, longest first: if one started last, it would keep a single core busy after all others had finished. */
const longestFiles = [
  'engine/library/removal-rounds.engine.test.ts',
  'scripts/backup/commands.test.ts',
  'engine/library/interleavings.engine.test.ts',
  'scripts/supervisor/product.engine.test.ts',
]

/** Orders the files of `npm run test:endurance`. */
export class EnduranceOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const position = longestFiles.findIndex((file) => moduleId.endsWith(file))
      return position < 0 ? longestFiles.length : position
    }
    return files.toSorted((one, other) => rank(one) - rank(other))
  }
}
