/** Where GitHub looks for the workflow. */
export const workflowFile = '.github/workflows/licet.yaml'

/** The workflow that reviews and releases a catalog in this directory (a path from the repository's root). */
export const workflowText = (catalog: string): string => template.replaceAll('CATALOG', catalog).replaceAll('@{', '${')

// `@{` is written `${`, GitHub's and the shell's own.
const template = `# Reviews and releases the catalog of this repository. Written by "licet init"; from here on it is yours.
#
#   pull request     checks the files, and shows in comments what they change in each environment
#   merge to main    imports into staging; plans for production, and applies that plan once somebody has approved it
#   every weekday    fails when production is no longer as the last import left it
#   by hand          plans and applies for production, with leave for what hurts (prices, retirements, values, unlocking)
#
# It needs, once:
#
# 1. licet as a dependency of this repository. It is not on the public npm registry, so say where yours comes from, a
#    registry of your own, a git URL or a packed file, and commit package.json and package-lock.json:
#      npm install --save-dev WHERE-LICET-COMES-FROM
# 2. Clients that may only read (licet client create --scope admin.catalog:read), as secrets of the repository:
#      LICET_STAGING_READER_ID, LICET_STAGING_READER_SECRET, LICET_PRODUCTION_READER_ID, LICET_PRODUCTION_READER_SECRET
# 3. The GitHub environments "staging" and "production" (Settings, Environments), for the branch main alone. Each has the
#    secrets LICET_CLIENT_ID and LICET_CLIENT_SECRET of a client that may write (--scope admin.catalog:read,
#    --scope admin.catalog:write); "production" has required reviewers: their approval is what applies the plan.
#
# Both actions are GitHub's own, pinned by major so that their fixes arrive; pin a commit where your rules ask for it.
name: licet

on:
  pull_request:
    paths: ['CATALOG/**', licet.yaml, package-lock.json, .github/workflows/licet.yaml]
  push:
    branches: [main]
    paths: ['CATALOG/**', licet.yaml, package-lock.json, .github/workflows/licet.yaml]
  schedule:
    - cron: '17 5 * * 1-5'
  workflow_dispatch:
    inputs:
      allow-price-change:
        description: Leave to change prices in production
        type: boolean
      allow-retire:
        description: Leave to retire what is sold in production
        type: boolean
      allow-revalue:
        description: Leave to change what customers have in production
        type: boolean
      allow-unlock:
        description: Leave to unlock products that are locked in production
        type: boolean

# Nothing, but for what a job says itself.
permissions: {}

defaults:
  run:
    shell: bash

jobs:
  review:
    if: github.event_name == 'pull_request'
    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      contents: read
      pull-requests: write # the comments
    concurrency:
      group: licet-review-@{{ github.event.pull_request.number }}
      cancel-in-progress: true
    steps:
      - uses: actions/checkout@v5
        with:
          fetch-depth: 2 # the merge, and the branch that it goes to
          persist-credentials: false
      - uses: actions/setup-node@v5
        with:
          node-version: 24
          cache: npm
      - name: Install licet
        run: |
          npm ci
          echo "$PWD/node_modules/.bin" >> "$GITHUB_PATH"
      - name: Check the files
        run: |
          licet catalog validate CATALOG --format github
          licet catalog format CATALOG --check
      - name: Show what changes
        id: diff
        env:
          STAGING_ID: @{{ secrets.LICET_STAGING_READER_ID }}
          STAGING_SECRET: @{{ secrets.LICET_STAGING_READER_SECRET }}
          PRODUCTION_ID: @{{ secrets.LICET_PRODUCTION_READER_ID }}
          PRODUCTION_SECRET: @{{ secrets.LICET_PRODUCTION_READER_SECRET }}
        run: |
          # A pull request from a fork has no secrets: it is compared with the branch it goes to, and gets no comment.
          if [ -z "$STAGING_SECRET" ]; then
            licet catalog diff --from git:HEAD^1:CATALOG --to CATALOG/ --format github --summary
            exit
          fi
          echo 'comment=true' >> "$GITHUB_OUTPUT"
          status=0
          compare() {
            licet catalog diff CATALOG --env "$1" --format markdown --summary > "$RUNNER_TEMP/diff-$1.md" || status=$?
          }
          export LICET_CLIENT_ID=$STAGING_ID LICET_CLIENT_SECRET=$STAGING_SECRET
          licet catalog diff CATALOG --env staging --format github || status=$?
          compare staging
          export LICET_CLIENT_ID=$PRODUCTION_ID LICET_CLIENT_SECRET=$PRODUCTION_SECRET
          compare production
          exit "$status"
      - name: Comment
        if: '!cancelled() && steps.diff.outputs.comment'
        env:
          GH_TOKEN: @{{ github.token }}
          NUMBER: @{{ github.event.pull_request.number }}
        run: |
          comments="repos/$GITHUB_REPOSITORY/issues/$NUMBER/comments"
          ours='.[] | select(.user.login == "github-actions[bot]" and (.body | startswith(env.MARKER))) | .id'
          for body in "$RUNNER_TEMP"/diff-*.md; do
            # The hidden marker on the first line tells the comment that is brought up to date from all others.
            MARKER=$(head -n 1 "$body")
            export MARKER
            ids=$(gh api --paginate "$comments" --jq "$ours")
            if [ -n "$ids" ]; then
              gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$(head -n 1 <<< "$ids")" --field "body=@$body"
            else
              gh api --silent --method POST "$comments" --field "body=@$body"
            fi
          done

  staging:
    if: github.event_name == 'push'
    runs-on: ubuntu-latest
    timeout-minutes: 15
    environment: staging
    permissions:
      contents: read
    concurrency:
      group: licet-staging
    steps:
      - uses: actions/checkout@v5
        with:
          persist-credentials: false
      - uses: actions/setup-node@v5
        with:
          node-version: 24
          cache: npm
      - name: Install licet
        run: |
          npm ci
          echo "$PWD/node_modules/.bin" >> "$GITHUB_PATH"
      - name: Import
        env:
          LICET_CLIENT_ID: @{{ secrets.LICET_CLIENT_ID }}
          LICET_CLIENT_SECRET: @{{ secrets.LICET_CLIENT_SECRET }}
        run: licet catalog import CATALOG --env staging --yes --source "$GITHUB_SHA"

  plan:
    needs: staging
    if: "!cancelled() && (needs.staging.result == 'success' || (github.event_name == 'workflow_dispatch' && github.ref_name == 'main'))"
    runs-on: ubuntu-latest
    timeout-minutes: 15
    permissions:
      contents: read
    outputs:
      plan: @{{ steps.plan.outputs.plan }}
    steps:
      - uses: actions/checkout@v5
        with:
          persist-credentials: false
      - uses: actions/setup-node@v5
        with:
          node-version: 24
          cache: npm
      - name: Install licet
        run: |
          npm ci
          echo "$PWD/node_modules/.bin" >> "$GITHUB_PATH"
      - name: Plan for production
        id: plan
        env:
          LICET_CLIENT_ID: @{{ secrets.LICET_PRODUCTION_READER_ID }}
          LICET_CLIENT_SECRET: @{{ secrets.LICET_PRODUCTION_READER_SECRET }}
        run: |
          status=0
          licet catalog plan CATALOG --env production --out "$RUNNER_TEMP/plan.json" --exit-code || status=$?
          # 2 says that there are changes; without any there is nothing to approve.
          if [ "$status" -ne 2 ]; then exit "$status"; fi
          licet catalog plan show "$RUNNER_TEMP/plan.json" --format markdown >> "$GITHUB_STEP_SUMMARY"
          plan=$(gzip -9 --no-name < "$RUNNER_TEMP/plan.json" | base64 --wrap 0)
          if [ "@{#plan}" -gt 100000 ]; then
            echo '::error::The plan is too large for an output; hand it to the next job with actions/upload-artifact.'
            exit 1
          fi
          echo "plan=$plan" >> "$GITHUB_OUTPUT"

  production:
    needs: plan
    if: "!cancelled() && needs.plan.outputs.plan != ''"
    runs-on: ubuntu-latest
    timeout-minutes: 15
    environment: production
    permissions:
      contents: read
    concurrency:
      group: licet-production
    steps:
      - uses: actions/checkout@v5
        with:
          persist-credentials: false
      - uses: actions/setup-node@v5
        with:
          node-version: 24
          cache: npm
      - name: Install licet
        run: |
          npm ci
          echo "$PWD/node_modules/.bin" >> "$GITHUB_PATH"
      - name: Apply the approved plan
        env:
          PLAN: @{{ needs.plan.outputs.plan }}
          LICET_CLIENT_ID: @{{ secrets.LICET_CLIENT_ID }}
          LICET_CLIENT_SECRET: @{{ secrets.LICET_CLIENT_SECRET }}
          LICET_ALLOW_PRICE_CHANGE: @{{ inputs.allow-price-change }}
          LICET_ALLOW_RETIRE: @{{ inputs.allow-retire }}
          LICET_ALLOW_REVALUE: @{{ inputs.allow-revalue }}
          LICET_ALLOW_UNLOCK: @{{ inputs.allow-unlock }}
        run: |
          base64 --decode <<< "$PLAN" | gunzip > "$RUNNER_TEMP/plan.json"
          licet catalog apply "$RUNNER_TEMP/plan.json" --env production --confirm production

  drift:
    if: github.event_name == 'schedule'
    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      contents: read
    steps:
      - uses: actions/checkout@v5
        with:
          persist-credentials: false
      - uses: actions/setup-node@v5
        with:
          node-version: 24
          cache: npm
      - name: Install licet
        run: |
          npm ci
          echo "$PWD/node_modules/.bin" >> "$GITHUB_PATH"
      - name: Look for drift
        env:
          LICET_CLIENT_ID: @{{ secrets.LICET_PRODUCTION_READER_ID }}
          LICET_CLIENT_SECRET: @{{ secrets.LICET_PRODUCTION_READER_SECRET }}
        run: licet catalog drift CATALOG --env production --summary
`
