import { randomUUID } from 'node:crypto'
import { string } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { readInput, refuseSharedStdin } from '../../input-files.ts'
import { composeHeaders } from '../../webhooks/composing.ts'
import { secretFileFlag } from '../../webhooks/signing-flags.ts'
import { readSigningSecrets } from '../../webhooks/signing-secrets.ts'
import { signatureProfiles } from '../../webhooks/stamps.ts'

export default class WebhookSign extends LicetCommand {
  static override summary = 'Make the headers that a webhook delivery of a body has, for tests of a receiver.'
  static override description =
    'As lines, which curl sends and "licet webhook verify" reads, or with --json as one object, which also has id, timestamp and signature as the flags of verify name them. Each secret signs, as during a rotation. With the id and timestamp of a challenge it signs the answer to it. Needs no server.'
  static override examples = [
    {
      description: 'Deliver an event to a receiver of yours',
      command:
        '<%= config.bin %> webhook sign --body event.json --secret-file secret.txt > headers.txt && curl -H @headers.txt --data-binary @event.json http://localhost:3000/hooks',
    },
    {
      description: 'An old delivery in the form of Standard Webhooks, which a receiver must refuse',
      command:
        '<%= config.bin %> webhook sign --body event.json --secret-file secret.txt --timestamp 2020-01-01T00:00:00Z --profile StandardWebhooks',
    },
  ]
  static override flags = {
    body: string({ required: true, summary: 'The file with the body; - for stdin.', helpValue: 'FILE' }),
    id: string({ summary: 'The webhook-id; that of the envelope, else a new one.', helpValue: 'ID' }),
    timestamp: string({
      summary: 'The webhook-timestamp, a date-time or Unix seconds; now without it.',
      helpValue: 'TIMESTAMP',
    }),
    profile: string({
      options: signatureProfiles,
      summary: 'How the timestamp is written: RFC 3339 (Default), or Unix seconds; as --timestamp is.',
    }),
    'secret-file': secretFileFlag,
  }

  async run() {
    const { flags } = await this.parse(WebhookSign)
    const { body, 'secret-file': secretFile, ...asked } = flags
    refuseSharedStdin([body, secretFile])
    const bytes = await readInput(body)
    const secrets = await readSigningSecrets(secretFile, { mayBePiped: true })
    const profile = signatureProfiles.find((one) => one === asked.profile)
    const headers = composeHeaders(bytes, { ...asked, profile }, secrets, { now: Date.now(), freshId: randomUUID() })
    for (const [name, value] of Object.entries(headers)) this.log(`${name}: ${value}`)
    return {
      ...headers,
      id: headers['webhook-id'],
      timestamp: headers['webhook-timestamp'],
      signature: headers['webhook-signature'],
    }
  }
}
