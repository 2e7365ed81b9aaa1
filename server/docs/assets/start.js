// Draws the reference of the API that the page names: from this origin alone, without outside fonts, proxy or telemetry.
const place = document.getElementById('reference')

Scalar.createApiReference(place, {
  url: place.dataset.openapi,
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
})
