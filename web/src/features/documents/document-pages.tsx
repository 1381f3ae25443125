import { Typography } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { system, type DocumentName } from '#contract/endpoints/system.ts'
import { t } from '#contract/texts/t.ts'
import { call } from '../../shared/api/client.ts'
import { LoadingNotice } from '../../shared/ui/notice.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { Markdown } from './markdown.tsx'

/** Terms for a server that an organization runs for its own people; the operator can replace them with DATA_DIR/terms.md. */
const termsText = join(
  t('Awaz turns recordings into text and translates it. Whoever runs this server decides who may use it and for what.'),
  heading(t('Using it')),
  list(
    t('Upload only recordings you are allowed to process.'),
    t('Keep your password and your second factor to yourself.'),
    t('Machine transcription and translation make mistakes. Listen to the recording before you rely on a sentence.'),
    t('A keyword match is a place to listen, never a verdict about a person.'),
  ),
  heading(t('Your account')),
  t(
    'An administrator may deactivate or delete an account. Deleting it removes its recordings, transcripts, translations and keywords.',
  ),
)

/** What the product does with data; true for every installation. */
const privacyText = join(
  t(
    'Recordings are processed on this server and on no other. The models run here; nothing is sent to outside services.',
  ),
  heading(t('What is stored')),
  list(
    t('Your account: names, e-mail address, username, and your password and codes in protected form.'),
    t('Your recordings with their transcripts, translations, speaker timelines and keywords, until you delete them.'),
    t('Sign-ins with time and address, and an audit trail of account changes.'),
  ),
  heading(t('Who sees it')),
  t(
    'You alone see your recordings and what was made of them; administrators see accounts, sessions and the audit trail.',
  ),
  heading(t('In your browser')),
  t(
    'The browser keeps the tokens of your session, your settings and a copy of your keywords. Signing out removes the tokens.',
  ),
)

/** Where to get help, without naming anyone; the operator can replace it with DATA_DIR/support.md. */
const supportText = join(
  t(
    'Ask the administrator of this server. They can unlock an account, reset a password or a lost second factor, and see why a mail did not arrive.',
  ),
  heading(t('Before you ask')),
  list(
    t(
      '**A recording is refused.** Awaz reads MP3, WAV, M4A, FLAC, OGG, MP4 and WEBM up to 100 MB, unless your administrator set another limit.',
    ),
    t(
      '**A language is missing.** What can be transcribed and translated depends on the models installed on this server.',
    ),
    t('**Locked out.** After repeated failed sign-ins an account locks for a short time and unlocks by itself.'),
    t('**Phone lost.** Sign in with a backup code; without one the administrator resets your second factor.'),
    t('**No code arrives.** Check the spam folder. A server without mail keeps its messages for the administrator.'),
  ),
)

/** What the service may be used for. */
export function TermsPage() {
  return (
    <DocumentPage
      name="terms"
      title={t('Terms of Service')}
      loading={t('Loading Terms of Service')}
      builtIn={termsText}
    />
  )
}

/** What is stored, where, and who sees it. */
export function PrivacyPage() {
  return (
    <DocumentPage
      name="privacy"
      title={t('Privacy Policy')}
      loading={t('Loading Privacy Policy')}
      builtIn={privacyText}
    />
  )
}

/** Whom to ask. */
export function SupportPage() {
  return <DocumentPage name="support" title={t('Support')} loading={t('Loading Support')} builtIn={supportText} />
}

interface DocumentPageProps {
  name: DocumentName
  title: string
  /** Label of the loading notice. */
  loading: string
  builtIn: string
}

/** Shows the operator's text if there is one, otherwise the built-in text, also if the request fails. */
function DocumentPage({ name, title, loading, builtIn }: DocumentPageProps) {
  const { data, isPending } = useQuery({
    queryKey: ['document', name],
    queryFn: () => call(system.document, { params: { name } }),
    retry: false,
  })
  return (
    <Page title={title} width="narrow">
      {isPending ? (
        <LoadingNotice label={loading} />
      ) : (
        <Typography>
          <Markdown text={data?.markdown ?? builtIn} />
        </Typography>
      )}
    </Page>
  )
}

function join(...blocks: string[]): string {
  return blocks.join('\n\n')
}

function heading(text: string): string {
  return `## ${text}`
}

function list(...items: string[]): string {
  return items.map((item) => `- ${item}`).join('\n')
}
