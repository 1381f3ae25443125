import { type Connection, Schema } from 'mongoose'
import type { SignInSettings } from '#contract/sign-in-settings.ts'
import { modelOf } from '../model.ts'

/** The only document: the settings changed by a super admin. Missing settings have their defaults. */
type SignInSettingsDocument = { _id: 'settings' } & Partial<SignInSettings>

const schema = new Schema<SignInSettingsDocument>(
  {
    _id: { type: String, required: true },
    registration: { type: String },
    registration_domains: { type: [String], default: undefined },
    two_factor_policy: { type: String },
    two_factor_grace_days: { type: Number },
    session_idle_hours: { type: Number },
    session_hours: { type: Number },
    remembered_idle_days: { type: Number },
    remembered_days: { type: Number },
  },
  { versionKey: false },
)

/** Reads and writes the sign-in settings of super admins. */
export function createSignInSettingsRepository(connection: Connection) {
  const settings = signInSettingsModel(connection)

  /** Returns only the stored settings. */
  async function read(): Promise<Partial<SignInSettings>> {
    const { _id, ...stored } = (await settings.findById('settings').lean<SignInSettingsDocument>()) ?? {}
    return stored
  }

  async function change(changed: Partial<SignInSettings>): Promise<void> {
    await settings.updateOne({ _id: 'settings' }, { $set: changed }, { upsert: true })
  }

  return { read, change }
}

export function signInSettingsModel(connection: Connection) {
  return modelOf<SignInSettingsDocument>(connection, 'SignInSettings', schema, 'sign_in_settings')
}
