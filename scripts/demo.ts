// npm run demo: runs the bundled two-language call through the real engines and shows it in the terminal.
import { join } from 'node:path'
import { run } from './cli/transcribe.ts'
import { runCommand } from './cli/run-command.ts'

const call = join(import.meta.dirname, '..', 'models', 'demo', 'sample-call.mp3')

console.log('A bundled sample call: left channel Pashto, right channel English, synthetic voices, demo models.\n')
await runCommand(() => run([call, '--language', 'ps,en', '--translate', 'en', ...process.argv.slice(2)]))
