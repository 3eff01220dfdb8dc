// Shows the description of the API with Swagger UI.

window.SwaggerUIBundle({ url: "/openapi.json", dom_id: "#api", deepLinking: true });
