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
  /** Said while it loads. */
  loading: string
  builtIn: string
}

/** The operator's text where there is one; the built-in text also where the server cannot be asked. */
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
