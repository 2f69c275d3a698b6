/** A certificate of its own making for `localhost` and `device.example.net`, and its key: for servers of tests alone. */
export const testCertificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBqTCCAU+gAwIBAgIUDcLvUdbde5LcESvbE1hGt4bwNukwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjA0Mjg1MloYDzIxMjYxMDI5
MDQyODUyWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQ4xp++Hvymo3fZihIFV5mdOGQLMBIqqMgimF25XBI5Zk9BOoDhAMoz
uryYQqj6p5stf7ughGmKssbbx/yqwjWgo30wezAdBgNVHQ4EFgQUqZ0TzXtr7JAW
1K4Er4YJbk/WH3wwHwYDVR0jBBgwFoAUqZ0TzXtr7JAW1K4Er4YJbk/WH3wwDwYD
VR0TAQH/BAUwAwEB/zAoBgNVHREEITAfgglsb2NhbGhvc3SCEmRldmljZS5leGFt
cGxlLm5ldDAKBggqhkjOPQQDAgNIADBFAiBTVmQxwccoIGB39+F2PyipMHsMMCGk
SeffTxIIU2+60gIhANc4m3ylmgoOx0a8ueY3bwUEO3DtB7U0wS4aPRNpK7q7
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgmem0AimvzqKm3jaB
rwqaiONRg8bmANatqOSoT8x/4/ahRANCAAQ4xp++Hvymo3fZihIFV5mdOGQLMBIq
qMgimF25XBI5Zk9BOoDhAMozuryYQqj6p5stf7ughGmKssbbx/yqwjWg
-----END PRIVATE KEY-----`,
} as const;
