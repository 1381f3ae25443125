import { z } from 'zod'
import { Id, Moment } from '../scalars.ts'

/** A command of the product that a server runs for a super admin: `awaz doctor` or `awaz backup rehearse`. */
export const UpkeepRun = z.object({
  id: Id,
  kind: z.enum(['checks', 'rehearsal']),
  /** The archive of a rehearsal. */
  subject: z.string().nullable(),
  started_at: Moment,
  /** What it is doing, in English, with how much of it is done; null before it says so. */
  stage: z.string().nullable(),
  done: z.int().nonnegative().nullable(),
  total: z.int().nonnegative().nullable(),
  /** Null while it runs. */
  ended_at: Moment.nullable(),
  outcome: z.enum(['done', 'failed', 'cancelled', 'interrupted']).nullable(),
  /** Why it failed, in the words of the command. */
  problem: z.string().nullable(),
})
export type UpkeepRun = z.infer<typeof UpkeepRun>

/** What `awaz doctor` found, in English: docs/doctor.md explains every code. */
export const DoctorFinding = z.object({
  code: z.string(),
  severity: z.enum(['problem', 'warning', 'note']),
  /** In a few words, without its particulars. */
  title: z.string(),
  what: z.string(),
  why: z.string(),
  remedy: z.string(),
  /** The command of the remedy, words in capitals to be replaced. */
  command: z.string().optional(),
  /** Ids of the first recordings that it is about; missing where it is about none. */
  recordings: z.array(Id).optional(),
})
export type DoctorFinding = z.infer<typeof DoctorFinding>

/** A recording of a finding as the audit trail tells a reader of it. */
const AffectedRecording = z.object({
  id: Id,
  /** For those who may read the recording; null for everybody else. */
  name: z.string().nullable(),
  /** E-mail address. */
  owner: z.string(),
  uploaded_at: Moment,
  /** It may be read, and is not in the trash. */
  can_open: z.boolean(),
})
export type AffectedRecording = z.infer<typeof AffectedRecording>

/** A finding as it is shown to a super admin. Recordings that are gone by now are left out. */
export const FindingWithRecordings = DoctorFinding.extend({ recordings: z.array(AffectedRecording).optional() })
export type FindingWithRecordings = z.infer<typeof FindingWithRecordings>

/** One comparison of a rehearsal. */
export const RehearsalCheck = z.object({
  code: z.enum(['documents', 'audio', 'sign_in', 'transcript', 'transcription']),
  /** In English, as the command prints it. */
  name: z.string(),
  expected: z.string(),
  found: z.string(),
  is_passed: z.boolean(),
})
export type RehearsalCheck = z.infer<typeof RehearsalCheck>

/** How the last rehearsal of a backup ended, by the audit trail. */
const LastRehearsal = z.object({ at: Moment, is_passed: z.boolean() })

/** A finished backup in BACKUP_DIR. */
export const Backup = z.object({
  /** Of its archive. */
  name: z.string(),
  made_at: Moment,
  /** Version of Awaz. */
  version: z.string(),
  encryption: z.enum(['passphrase', 'recipients', 'none']),
  documents: z.int().nonnegative(),
  recordings: z.int().nonnegative(),
  /** Recordings without sound, or with damaged sound. */
  faulty_recordings: z.int().nonnegative(),
  /** Documents that were not what was stored, by their checksum. */
  damaged_documents: z.int().nonnegative(),
  /** Of the archive and all sound that it needs, and what of it this backup added. */
  size_bytes: z.number().nonnegative(),
  new_bytes: z.number().nonnegative(),
  /** Null where none is known. */
  rehearsed: LastRehearsal.nullable(),
  /** Whether this server has what opens it. */
  can_open: z.boolean(),
  /** Rehearses it where the key is. */
  rehearse_command: z.string(),
})
export type Backup = z.infer<typeof Backup>

/** The name of an archive, which is part of a path. */
export const BackupName = z.string().regex(/^awaz-\d{8}T\d{6}Z(-\d+)?\.tar(\.age)?$/, 'Not the name of a backup')

/** A file of a support archive. */
const SupportFile = z.object({ name: z.string(), size_bytes: z.int().nonnegative() })

/** An archive for the person who helps: docs/doctor.md, "Support archive". */
export const SupportArchive = z.object({
  file_name: z.string(),
  files: z.array(SupportFile),
  size_bytes: z.int().nonnegative(),
  sha256: z.string(),
  /** The ZIP file itself. */
  base64: z.base64(),
})
export type SupportArchive = z.infer<typeof SupportArchive>
