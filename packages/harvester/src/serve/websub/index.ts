export { type TakeDelivery, websubRoutes } from "./callback.ts";
export { type Delivered, takeDelivery } from "./delivery.ts";
export { startPublisher, startSubscriber } from "./hub-requests.ts";
