import { Typography } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { system, type DocumentName } from '#contract/endpoints/system.ts'
import { t } from '#contract/texts/t.ts'
import { call } from '../../shared/api/client.ts'
import { LoadingNotice } from '../../shared/ui/notice.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { privacyText, supportText, termsText } from './default-texts.ts'
import { Markdown } from './markdown.tsx'

/** What the service may be used for. */
export function TermsPage() {
  return <DocumentPage name="terms" title={t('Terms of Service')} builtIn={termsText} />
}

/** What is stored, where, and who sees it. */
export function PrivacyPage() {
  return <DocumentPage name="privacy" title={t('Privacy Policy')} builtIn={privacyText} />
}

/** Whom to ask. */
export function SupportPage() {
  return <DocumentPage name="support" title={t('Support')} builtIn={supportText} />
}

/** The operator's text where there is one; the built-in text also where the server cannot be asked. */
function DocumentPage({ name, title, builtIn }: { name: DocumentName; title: string; builtIn: string }) {
  const { data, isPending } = useQuery({
    queryKey: ['document', name],
    queryFn: () => call(system.document, { params: { name } }),
    retry: false,
  })
  return (
    <Page title={title} width="narrow">
      {isPending ? (
        <LoadingNotice label={t('Loading {title}', { title })} />
      ) : (
        <Typography>
          <Markdown text={data?.markdown ?? builtIn} />
        </Typography>
      )}
    </Page>
  )
}
