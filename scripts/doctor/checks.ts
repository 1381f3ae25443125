import { audioCheck } from './checks/audio.ts'
import { backupsCheck } from './checks/backups.ts'
import { databaseCheck, databaseFileCheck } from './checks/database.ts'
import { diskCheck, diskGrowthCheck } from './checks/disk.ts'
import { enginesCheck } from './checks/engines.ts'
import { leftoversCheck } from './checks/leftovers.ts'
import { libraryCheck } from './checks/library.ts'
import { machineCheck } from './checks/machine.ts'
import { mailCheck } from './checks/mail.ts'
import { modelsCheck } from './checks/models.ts'
import { privateFilesCheck } from './checks/private-files.ts'
import { programsCheck } from './checks/programs.ts'
import { providersCheck } from './checks/providers.ts'
import { publicAddressCheck } from './checks/public-address.ts'
import { secretsCheck } from './checks/secrets.ts'
import { serverCheck } from './checks/server.ts'
import { settingsCheck } from './checks/settings.ts'
import { textsCheck } from './checks/texts.ts'
import { findingsOf, type FindingTable } from './finding.ts'
import type { Check, DatabaseContext } from './context.ts'

/** Checks that need no database. */
export const hostChecks: Check[] = [
  settingsCheck,
  privateFilesCheck,
  diskCheck,
  programsCheck,
  modelsCheck,
  machineCheck,
]

export const databaseChecks: Check<DatabaseContext>[] = [
  databaseCheck,
  databaseFileCheck,
  secretsCheck,
  audioCheck,
  textsCheck,
  leftoversCheck,
  diskGrowthCheck,
  libraryCheck,
  serverCheck,
  enginesCheck,
  mailCheck,
  providersCheck,
  publicAddressCheck,
  backupsCheck,
]

const ownFindings = {
  'doctor.check_failed': {
    severity: 'problem',
    title: 'A check could not be made',
    why: 'What it checks is not known.',
    remedy: 'Mend what the sentence says, and run awaz doctor again as the user that Awaz runs as.',
  },
} as const

export const doctorFinding = findingsOf(ownFindings)

/** Every code with its meaning: docs/doctor.md lists them. */
export const allFindings: FindingTable = Object.assign(
  {},
  ...[...hostChecks, ...databaseChecks].map(({ findings }) => findings),
  ownFindings,
) as FindingTable
