import { appendFileSync } from 'node:fs'
import type { SerializedError } from 'vitest'
import type { Reporter, TestModule } from 'vitest/node'

/** A vitest reporter that appends failures to the file AWAZ_FAILURE_LIST, so that a run of several suites can print them all at the end. */
export default class FailureList implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const file = process.env.AWAZ_FAILURE_LIST
    if (!file) return
    const lines = [
      ...modules.flatMap(describeModule),
      ...unhandledErrors.map((error) => describe('outside a test', [error])),
    ]
    appendFileSync(file, lines.map((line) => `${line}\n`).join(''))
  }
}

function describeModule(module: TestModule): string[] {
  const name = `[${module.project.name}] ${module.relativeModuleId}`
  const failed = [...module.children.allTests('failed')].map((test) =>
    describe(`${name} > ${test.fullName}`, test.result().errors ?? []),
  )
  const errors = [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())]
  return errors.length > 0 ? [...failed, describe(name, errors)] : failed
}

function describe(where: string, errors: readonly { message?: string; stack?: string }[]): string {
  const details = errors.map(({ message = 'no message', stack = '' }) => {
    const frames = stack.split('\n').filter((line) => /^\s*at /.test(line) && !line.includes('node_modules'))
    return [message, ...frames.slice(0, 3)].map((line) => `    ${line}`).join('\n')
  })
  return [`  ${where}`, ...details].join('\n')
}
