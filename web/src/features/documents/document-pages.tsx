import { Typography } from '@mantine/core'
import { Page } from '../../shared/ui/page.tsx'
import { privacyText, supportText, termsText } from './default-texts.ts'
import { Markdown } from './markdown.tsx'

/** What the service may be used for. */
export function TermsPage() {
  return <DocumentPage title="Terms of Service" text={termsText} />
}

/** What is stored, where, and who sees it. */
export function PrivacyPage() {
  return <DocumentPage title="Privacy Policy" text={privacyText} />
}

/** Whom to ask. */
export function SupportPage() {
  return <DocumentPage title="Support" text={supportText} />
}

function DocumentPage({ title, text }: { title: string; text: string }) {
  return (
    <Page title={title} width="narrow">
      <Typography>
        <Markdown text={text} />
      </Typography>
    </Page>
  )
}
