/** The sign-in page. It has no script and no style of its own, so that the strictest content policy lets it be. */
export const loginPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign in – Linewright</title>
</head>
<body>
<main>
<h1>Linewright</h1>
<form method="post" action="/login">
<p><label for="username">User name</label><br>
<input id="username" name="username" autocomplete="username" required autofocus></p>
<p><label for="password">Password</label><br>
<input id="password" name="password" type="password" autocomplete="current-password" required></p>
<p><button type="submit">Sign in</button></p>
</form>
</main>
</body>
</html>
`;
