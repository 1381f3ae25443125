// node scripts/env-example.ts: writes .env.example from the configuration schema.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeSettings } from '#data/describe-settings.ts'

writeFileSync(join(import.meta.dirname, '..', '.env.example'), describeSettings())
