import { dashboardRoutes as routes } from '@vidimus/contract'
import type { DashboardContext } from './context.ts'
import { type DashboardEndpoint, type HttpContext, dashboardEndpoint } from '../engine/http/index.ts'
import { readCookie } from '../engine/formats/index.ts'
import { setRequestLog } from './request-log/record.ts'
import { setBrand, setPolicies } from '../accounts/index.ts'
import {
  addTenantAnchors,
  listAnchorPage,
  previewAnchors,
  recheckSoon,
  removeTenantAnchor,
  removeEcosystemIdentity,
  setEcosystemIdentity,
  setIdentity,
  setTrustPolicy,
} from '../trust/index.ts'
import { changeRoleAndAccess, removeMemberAndAccess, viewChangedTeam } from './team/change-team.ts'
import { activateSealingKeyIfPossible, listKeysWithResults } from './activate-sealing-key.ts'
import { changeHolderPage } from './change-holder-page.ts'
import { deleteUnneededTemplate } from './delete-template.ts'
import { getFigures, getOverview } from './overview/get-overview.ts'
import { getSettings, viewAnchor, viewServiceAnchors } from './settings/get-settings.ts'
import { listNamedAudit } from './list-named-audit.ts'
import { listMemberAccess } from './team/member-access.ts'
import { search } from './search.ts'
import { streamOpener, watchChanges } from './changes/watch-changes.ts'

/** Endpoints that combine several modules. */
export function overviewRoutes(
  ctx: DashboardContext,
  { findSession, draining }: Pick<HttpContext, 'findSession' | 'draining'>,
): DashboardEndpoint[] {
  const openStream = streamOpener(watchChanges(ctx))
  return [
    dashboardEndpoint(routes.getOverview, async ({ member, params: { environment } }) => ({
      body: await getOverview(ctx, { tenant_id: member.tenant_id, environment }),
    })),
    dashboardEndpoint(
      routes.getFigures,
      async ({ member: { tenant_id }, params: { environment }, query }) => ({
        body: await getFigures(ctx, { tenant_id, environment }, query),
      }),
    ),
    dashboardEndpoint(routes.deleteTemplate, async ({ member, params: { key } }) => {
      await deleteUnneededTemplate(ctx, member, key)
      return { body: {} }
    }),
    dashboardEndpoint(routes.listSealingKeys, async ({ member: { tenant_id }, params }) => ({
      body: { data: await listKeysWithResults(ctx, { tenant_id, ...params }) },
    })),
    dashboardEndpoint(routes.activateSealingKey, async ({ member, params, body }) => ({
      body: await activateSealingKeyIfPossible(ctx, member, { ...params, ...body }),
    })),
    dashboardEndpoint(routes.listMemberAccess, async ({ member: { tenant_id }, params: { id }, query }) => ({
      body: { data: await listMemberAccess(ctx, { tenant_id, member_id: id, ...query }) },
    })),
    dashboardEndpoint(routes.changeRole, async ({ member, params, body: { role, ...decisions } }) => {
      const changed = await changeRoleAndAccess(ctx, member, { ...params, role, decisions })
      return { body: await viewChangedTeam(ctx, member, changed) }
    }),
    dashboardEndpoint(routes.removeMember, async ({ member, params, query: decisions }) => {
      const changed = await removeMemberAndAccess(ctx, member, { ...params, decisions })
      return { body: await viewChangedTeam(ctx, member, changed) }
    }),
    dashboardEndpoint(routes.getSettings, async ({ member }) => ({
      body: await getSettings(ctx, member.tenant_id),
    })),
    dashboardEndpoint(routes.changePolicies, async ({ member, body }) => {
      await setPolicies(ctx, { tenant_id: member.tenant_id, by: member, ...body })
      return { body: await getSettings(ctx, member.tenant_id) }
    }),
    dashboardEndpoint(routes.changeBrand, async ({ member, body }) => {
      await setBrand(ctx, { by: member, brand: body })
      return { body: await getSettings(ctx, member.tenant_id) }
    }),
    dashboardEndpoint(routes.changeHolderPage, async ({ member, body }) => {
      await changeHolderPage(ctx, { by: member, ...body })
      return { body: await getSettings(ctx, member.tenant_id) }
    }),
    dashboardEndpoint(routes.changeRequestLog, async ({ member, body: { enabled } }) => {
      await setRequestLog(ctx, { by: member, enabled })
      return { body: await getSettings(ctx, member.tenant_id) }
    }),
    dashboardEndpoint(routes.search, async ({ member, params: { environment }, query }) => ({
      body: await search(ctx, { ...member, environment }, query.text),
    })),
    dashboardEndpoint(routes.changeIdentity, async ({ member, body }) => {
      await setIdentity(ctx, { tenant_id: member.tenant_id, by: member, ...body })
      await recheckSoon(ctx, member.tenant_id)
      return { body: await getSettings(ctx, member.tenant_id) }
    }),
    dashboardEndpoint(routes.changeEcosystemIdentity, async ({ member, params, body }) => {
      const { certificate, rp_metadata } = body
      const owner = { tenant_id: member.tenant_id, by: member, ...params }
      if (certificate === null) await removeEcosystemIdentity(ctx, owner)
      else
        await setEcosystemIdentity(ctx, {
          ...owner,
          certificate,
          ...(rp_metadata !== undefined && { metadata: Buffer.from(rp_metadata, 'base64url') }),
        })
      return { body: await getSettings(ctx, member.tenant_id) }
    }),
    dashboardEndpoint(routes.changeTrustPolicy, async ({ member, body: { policy } }) => {
      await setTrustPolicy(ctx, { by: member, policy })
      return { body: await getSettings(ctx, member.tenant_id) }
    }),
    dashboardEndpoint(routes.listServiceAnchors, async ({ params: { environment }, query: { after } }) => ({
      body: viewServiceAnchors(
        await listAnchorPage({ db: ctx.db, sandbox: ctx.trust.sandbox }, { environment, after }),
      ),
    })),
    dashboardEndpoint(routes.readAnchors, async ({ params: { environment }, body }) => ({
      body: { data: previewAnchors({ environment, ...body }).map(viewAnchor) },
    })),
    dashboardEndpoint(routes.addAnchors, async ({ member, params: { environment }, body }) => {
      await addTenantAnchors(ctx, { by: member, environment, ...body })
      return { body: await getSettings(ctx, member.tenant_id) }
    }),
    dashboardEndpoint(
      routes.removeAnchor,
      async ({ member, params: { environment, fingerprint }, query: { role } }) => {
        await removeTenantAnchor(ctx, { by: member, environment, fingerprint, role })
        return { body: await getSettings(ctx, member.tenant_id) }
      },
    ),
    dashboardEndpoint(routes.listAudit, async ({ member, query }) => ({
      body: await listNamedAudit(ctx, { ...query, tenant_id: member.tenant_id }),
    })),
    dashboardEndpoint(routes.getEvents, async ({ member, header }) => {
      const session = readCookie(ctx.config, 'session', header('cookie')) ?? ''
      const isSessionActive = async () => (await findSession(session)) !== undefined
      // A proxy must not buffer the stream.
      return {
        stream: openStream({ ...member, isSessionActive, draining }),
        headers: { 'x-accel-buffering': 'no' },
      }
    }),
  ]
}
